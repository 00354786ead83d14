//! A frozen region as requests describe it in JSON: `openFrozenRegion` in `docs/jni.md`, and the list of `grampus-frozen-scan`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_cache::BlockCache;
use grampus_cells::RowOrder;
use grampus_env::{Env, path_of};
use grampus_filter::pattern::PatternCompiler;
use serde::Deserialize;

use super::{FrozenBounds, FrozenRegion, FrozenStore};
use crate::fileset::{FrozenFile, StoreDir};
use crate::{FamilyConfig, FamilyRequest};

/// Bytes of pages that are kept where a request does not say; a scan comes back to few of them.
const CACHE_BYTES: u64 = 32 << 20;
/// Bytes of cells that a row may have of one family where a request does not say, as `hbase.table.max.rowsize` by default.
const ROW_BYTES_MAX: u64 = 1 << 30;

/// A region and its files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FrozenRequest {
    /// The region.
    pub region: FrozenPlace,
    /// Its files.
    pub files: FrozenFiles,
    /// Bytes of cells that a row may have of one family; a larger row is an error of the scan.
    pub row_bytes_max: Option<u64>,
    /// Bytes of pages that are kept in memory.
    pub cache_bytes: Option<u64>,
}

/// Of `openRegion` in `docs/jni.md` what matters to files; the rest is for servers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrozenPlace {
    table: String,
    encoded_name: String,
    root_dir: String,
    start_key: String,
    end_key: String,
    row_order: String,
    families: Vec<FamilyRequest>,
}

/// The answer of `snapshotFiles` in `docs/jni.md`.
#[derive(Deserialize)]
pub struct FrozenFiles {
    families: Vec<FilesOfFamily>,
}

#[derive(Deserialize)]
struct FilesOfFamily {
    family: String,
    files: Vec<ListedFile>,
}

#[derive(Deserialize)]
struct ListedFile {
    name: String,
    reference: Option<String>,
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl FrozenRequest {
    /// Decodes a request.
    ///
    /// # Errors
    /// It is not JSON, lacks a key or has one that is not known.
    pub fn parse(json: &str) -> Result<FrozenRequest> {
        serde_json::from_str(json).map_err(|e| bad(format!("frozen region: {e}")))
    }

    /// Opens the files below the request's root, a path or URI of local files.
    ///
    /// # Errors
    /// The request is wrong, or a file is missing or damaged.
    pub fn open_local(&self, env: Arc<dyn Env>, patterns: Arc<dyn PatternCompiler>) -> Result<FrozenRegion> {
        self.open_below(&path_of(&self.region.root_dir)?, env, patterns)
    }

    /// Opens the files below the request's root as it stands, such as `hdfs://host:8020/hbase`: the environment knows what it means.
    ///
    /// # Errors
    /// The request is wrong, or a file is missing or damaged.
    pub fn open_in(&self, env: Arc<dyn Env>, patterns: Arc<dyn PatternCompiler>) -> Result<FrozenRegion> {
        self.open_below(&PathBuf::from(&self.region.root_dir), env, patterns)
    }

    fn open_below(
        &self,
        root: &Path,
        env: Arc<dyn Env>,
        patterns: Arc<dyn PatternCompiler>,
    ) -> Result<FrozenRegion> {
        let order = RowOrder::named(&self.region.row_order)
            .ok_or_else(|| bad(format!("unknown rowOrder {}", self.region.row_order)))?;
        let cache = Arc::new(BlockCache::new(self.cache_bytes.unwrap_or(CACHE_BYTES)));
        let configs = FamilyRequest::configs(&self.region.families)?;
        let lists = self.files.of_families(&configs)?;
        let mut stores = Vec::with_capacity(configs.len());
        for (config, files) in configs.into_iter().zip(lists) {
            let dir = self.region.dir(root, &config)?;
            stores.push(FrozenStore::open(&env, &cache, &dir, &files, config, order)?);
        }
        let start_key = from_hex(&self.region.start_key, "startKey")?;
        let end_key = from_hex(&self.region.end_key, "endKey")?;
        let row_bytes_max = self.row_bytes_max.unwrap_or(ROW_BYTES_MAX);
        let bounds = FrozenBounds { start_key: &start_key, end_key: &end_key, order, row_bytes_max };
        FrozenRegion::new(env, stores, &bounds, patterns)
    }
}

impl FrozenPlace {
    fn dir(&self, root: &Path, config: &FamilyConfig) -> Result<StoreDir> {
        let family = std::str::from_utf8(&config.name)
            .map_err(|_| bad("a family whose name is no text has no directory"))?;
        let (namespace, table) = grampus_base::table_parts(&self.table);
        for name in [namespace, table, &self.encoded_name, family] {
            if name.is_empty() || name == "." || name == ".." || name.contains('/') {
                return Err(bad(format!("{name:?} is no name of a directory of a table, region or family")));
            }
        }
        Ok(StoreDir::new(root, namespace, table, &self.encoded_name, family))
    }
}

impl FrozenFiles {
    /// The files of each family.
    fn of_families(&self, configs: &[FamilyConfig]) -> Result<Vec<Vec<FrozenFile>>> {
        let mut files = vec![Vec::new(); configs.len()];
        for family in &self.families {
            let name = from_hex(&family.family, "a family name")?;
            let at = configs.iter().position(|config| config.name == name);
            let of_family = at.and_then(|at| files.get_mut(at)).ok_or_else(|| {
                let name = grampus_base::printable(&name);
                bad(format!("the list has files of family {name}, which the region does not have"))
            })?;
            for file in &family.files {
                let reference = file.reference.as_deref();
                let reference = reference.map(|bytes| from_hex(bytes, "a reference")).transpose()?;
                of_family.push(FrozenFile { name: file.name.clone(), reference });
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use grampus_env::FakeEnv;
    use grampus_filter::pattern::NoPatternCompiler;

    use super::*;

    /// What a region says whose only file is nowhere.
    fn refusal(root: &str, local: bool) -> Error {
        let request = FrozenRequest::parse(&format!(
            r#"{{"region":{{"table":"ns:t","encodedName":"aa","rootDir":"{root}","startKey":"","endKey":"","rowOrder":"bytes",
                "families":[{{"name":"66","maxVersions":1}}],"meta":false}},
                "files":{{"families":[{{"family":"66","files":[{{"name":"ab","bytes":7}}]}}]}},"cacheBytes":1000}}"#
        ));
        let (request, env, patterns) =
            (request.unwrap(), Arc::new(FakeEnv::new(1)), Arc::new(NoPatternCompiler));
        let opened = if local { request.open_local(env, patterns) } else { request.open_in(env, patterns) };
        opened.err().unwrap()
    }

    #[test]
    fn a_root_that_the_environment_knows_stays_as_it_is_written() {
        for root in ["hdfs://namenode:8020/hbase", "s3a://bucket", "hdfs://h:1/a//b/../c/", "wasb://c@a.b/x"]
        {
            let message = refusal(root, false).message;
            let root = root.trim_end_matches('/');
            for place in ["data/ns/t/aa/f/ab", ".tmp/data/ns/t/aa/f/ab", "archive/data/ns/t/aa/f/ab"] {
                assert!(message.contains(&format!("{root}/{place}")), "{message}");
            }
        }
    }

    #[test]
    fn a_local_root_is_a_path_or_a_uri() {
        for root in ["/h", "file:/h", "file:///h"] {
            assert!(refusal(root, true).message.contains(" /h/data/ns/t/aa/f/ab,"));
        }
        let error = refusal("hdfs://h:1/x", true);
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert!(error.message.contains("the scheme hdfs is not supported"), "{error}");
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        let place = |table: &str, region: &str| FrozenPlace {
            table: table.to_string(),
            encoded_name: region.to_string(),
            root_dir: String::new(),
            start_key: String::new(),
            end_key: String::new(),
            row_order: String::new(),
            families: Vec::new(),
        };
        let dir = |table: &str, region: &str, family: &str| {
            place(table, region).dir(Path::new("/h"), &FamilyConfig::new(family)).map(drop)
        };
        dir("ns:t", "aa", "f").unwrap();
        for bad in ["", ".", "..", "/etc", "a/../b"] {
            for refused in [dir(bad, "aa", "f"), dir("ns:t", bad, "f"), dir("ns:t", "aa", bad)] {
                assert_eq!(refused.unwrap_err().kind, ErrorKind::BadRequest, "{bad}");
            }
        }
    }

    #[test]
    fn a_key_that_is_not_known_is_refused() {
        for json in ["{}", r#"{"region":{},"files":{"families":[]},"x":1}"#, "7"] {
            assert_eq!(FrozenRequest::parse(json).err().unwrap().kind, ErrorKind::BadRequest, "{json}");
        }
    }
}
