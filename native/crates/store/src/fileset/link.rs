//! HFileLink names: `[<namespace>=]<table>=<region>-<hfile>`. The name says it all; the file itself is empty.

use crate::fileset::hfile_name::is_hfile;

/// A parsed link name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkName {
    /// Namespace of the table that has the file.
    pub namespace: String,
    /// Table that has the file.
    pub table: String,
    /// Encoded name of the region that has the file.
    pub region: String,
    /// The file's name there.
    pub hfile: String,
}

impl LinkName {
    /// Understands a link name.
    pub fn parse(name: &str) -> Option<LinkName> {
        let (tables, file) = name.rsplit_once('=')?;
        let (region, hfile) = file.split_once('-')?;
        let (namespace, table) = tables.split_once('=').unwrap_or(("default", tables));
        let region_is_hex = !region.is_empty() && region.bytes().all(|b| b.is_ascii_hexdigit());
        let whole = region_is_hex && is_hfile(hfile) && is_table(namespace) && is_table(table);
        whole.then(|| LinkName {
            namespace: namespace.to_string(),
            table: table.to_string(),
            region: region.to_string(),
            hfile: hfile.to_string(),
        })
    }
}

/// Whether a name can be that of a table or namespace, and of a directory that is no other one.
fn is_table(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '/']) && name != "." && name != ".."
}
