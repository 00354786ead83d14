//! Where a store's files are below `hbase.rootdir`; HBase's layout.

use std::path::PathBuf;

/// One store's place in the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreDir {
    /// `hbase.rootdir`.
    pub root: PathBuf,
    /// Namespace of the table.
    pub namespace: String,
    /// Table, without its namespace.
    pub table: String,
    /// Encoded region name.
    pub region: String,
    /// Column family.
    pub family: String,
}

impl StoreDir {
    /// A store's place.
    pub fn new(
        root: impl Into<PathBuf>,
        namespace: &str,
        table: &str,
        region: &str,
        family: &str,
    ) -> StoreDir {
        StoreDir {
            root: root.into(),
            namespace: namespace.to_string(),
            table: table.to_string(),
            region: region.to_string(),
            family: family.to_string(),
        }
    }

    /// The same family in another region or table.
    pub(super) fn sibling(&self, namespace: &str, table: &str, region: &str) -> StoreDir {
        StoreDir::new(&self.root, namespace, table, region, &self.family)
    }

    fn relative_region(&self) -> PathBuf {
        ["data", &self.namespace, &self.table, &self.region].iter().collect()
    }

    /// `<root>/data/<ns>/<table>/<region>`.
    pub fn region_dir(&self) -> PathBuf {
        self.root.join(self.relative_region())
    }

    /// The family directory.
    pub fn family_dir(&self) -> PathBuf {
        self.region_dir().join(&self.family)
    }

    /// Where the openings of this store have directories for files that are not complete.
    pub(crate) fn tmp_dir(&self) -> PathBuf {
        self.region_dir().join(".tmp").join(&self.family)
    }

    /// Where replaced files go.
    pub fn archive_dir(&self) -> PathBuf {
        self.root.join("archive").join(self.relative_region()).join(&self.family)
    }

    /// Where the master keeps the files of a table that it is making or deleting.
    pub(super) fn master_tmp_dir(&self) -> PathBuf {
        self.root.join(".tmp").join(self.relative_region()).join(&self.family)
    }
}
