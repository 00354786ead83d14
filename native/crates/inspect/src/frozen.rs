//! The cells of a region's files as a list names them: what a server would answer a scan, without one.

use std::io::Write;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_cache::BlockCache;
use grampus_cells::{RowOrder, cell_codec};
use grampus_env::{Env, path_of};
use grampus_filter::pattern::NoPatternCompiler;
use grampus_store::fileset::{FrozenFile, StoreDir};
use grampus_store::read::{ReadSpec, ScanCounts, Stop};
use grampus_store::{
    FamilyConfig, FamilyRequest, FrozenBounds, FrozenLimits, FrozenRegion, FrozenRows, FrozenStore,
};
use serde::Deserialize;

use super::cells;

/// Bytes of pages that are kept; a scan comes back to few of them.
const CACHE_BYTES: u64 = 32 << 20;
/// Bytes of cells that a row may have of one family, as `hbase.table.max.rowsize` by default.
const ROW_BYTES_MAX: u64 = 1 << 30;

/// What is scanned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    region: RegionRequest,
    files: Listed,
    /// A read spec in hex; all rows without it.
    spec: Option<String>,
    /// Time by which times to live are over; now without it.
    now_millis: Option<i64>,
}

/// Of `openRegion` in `docs/jni.md` what matters to files; the rest is for servers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RegionRequest {
    table: String,
    encoded_name: String,
    /// A path or a URI of local files.
    root_dir: String,
    start_key: String,
    end_key: String,
    row_order: String,
    families: Vec<FamilyRequest>,
}

/// The answer of `snapshotFiles` in `docs/jni.md`.
#[derive(Deserialize)]
struct Listed {
    families: Vec<ListedFamily>,
}

#[derive(Deserialize)]
struct ListedFamily {
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

/// Prints the cells that a scan of a region's files returns, a JSON document per line: `row`, `family`, `qualifier`, `timestamp`, `type`, `value`
/// and, where the spec wants them, `tags`. Returns what was looked at. The request is described in `docs/inspect.md`.
///
/// # Errors
/// The request is wrong, a file is missing or damaged, or nothing can be printed any more.
pub fn print_frozen(env: Arc<dyn Env>, request_json: &str, out: &mut impl Write) -> Result<ScanCounts> {
    let request: Request =
        serde_json::from_str(request_json).map_err(|e| bad(format!("frozen scan: {e}")))?;
    let now_millis = request.now_millis.unwrap_or_else(|| env.now_millis());
    let spec = request.spec.as_deref().map(|spec| from_hex(spec, "the spec")).transpose()?;
    let region = request.open(env)?;
    let mut scan = region.scan(&spec.unwrap_or_else(all_rows), now_millis)?;
    let mut rows = FrozenRows::default();
    loop {
        let stop = scan.next(&FrozenLimits::USUAL, &mut rows)?;
        print(rows.cells(), out)?;
        if stop == Stop::End {
            return Ok(scan.progress());
        }
    }
}

fn print(mut cells: &[u8], out: &mut impl Write) -> Result<()> {
    let failed = |e| Error::new(ErrorKind::Io, format!("the cells cannot be printed: {e}"));
    while !cells.is_empty() {
        let (found, used) = cell_codec::read_cell(cells)?;
        let mut document = cells::cell(Some(found.family), &found.cell);
        if let Some(fields) = document.as_object_mut() {
            fields.remove("sequence"); // a scan returns none
        }
        writeln!(out, "{document}").map_err(failed)?;
        cells = cells.get(used..).unwrap_or_default();
    }
    Ok(())
}

/// The read spec of a scan without any setting.
fn all_rows() -> Vec<u8> {
    let mut spec = vec![1, 0, 0, 0];
    spec.extend(ReadSpec::INCLUDE_START.to_le_bytes());
    spec.extend([0; 8]); // no start row, no stop row
    spec.extend(1u32.to_le_bytes());
    spec.extend((-1i32).to_le_bytes());
    spec.extend(0i32.to_le_bytes());
    spec.extend((-1i32).to_le_bytes());
    spec.extend(0u64.to_le_bytes());
    spec.extend(0i64.to_le_bytes());
    spec.extend(i64::MAX.to_le_bytes());
    spec.extend([0; 8]); // all families, no filter
    spec
}

impl Request {
    fn open(&self, env: Arc<dyn Env>) -> Result<FrozenRegion> {
        let order = RowOrder::named(&self.region.row_order)
            .ok_or_else(|| bad(format!("unknown rowOrder {}", self.region.row_order)))?;
        let cache = Arc::new(BlockCache::new(CACHE_BYTES));
        let configs = FamilyRequest::configs(&self.region.families)?;
        let mut files = self.files_of(&configs)?;
        let mut stores = Vec::with_capacity(configs.len());
        for config in configs {
            let files = files.remove(0);
            stores.push(FrozenStore::open(&*env, &cache, &self.dir(&config)?, &files, config, order)?);
        }
        let start_key = from_hex(&self.region.start_key, "startKey")?;
        let end_key = from_hex(&self.region.end_key, "endKey")?;
        let bounds =
            FrozenBounds { start_key: &start_key, end_key: &end_key, order, row_bytes_max: ROW_BYTES_MAX };
        FrozenRegion::new(env, stores, &bounds, Arc::new(NoPatternCompiler))
    }

    fn dir(&self, config: &FamilyConfig) -> Result<StoreDir> {
        let RegionRequest { table, encoded_name, root_dir, .. } = &self.region;
        let family = std::str::from_utf8(&config.name)
            .map_err(|_| bad("a family whose name is no text has no directory"))?;
        let (namespace, table) = grampus_base::table_parts(table);
        for name in [namespace, table, encoded_name] {
            if name.is_empty() || name == "." || name == ".." || name.contains('/') {
                return Err(bad(format!("{name:?} is no name of a table, namespace or region")));
            }
        }
        Ok(StoreDir::new(&path_of(root_dir)?, namespace, table, encoded_name, family))
    }

    /// The files of each family.
    fn files_of(&self, configs: &[FamilyConfig]) -> Result<Vec<Vec<FrozenFile>>> {
        let mut files = vec![Vec::new(); configs.len()];
        for family in &self.files.families {
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
