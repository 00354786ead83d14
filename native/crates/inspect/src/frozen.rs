//! The cells of a region's files as a list names them: what a server would answer a scan, without one.

use std::io::Write;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_cells::cell_codec;
use grampus_env::Env;
use grampus_filter::pattern::NoPatternCompiler;
use grampus_store::read::{ReadSpec, ScanCounts, Stop};
use grampus_store::{FrozenFiles, FrozenLimits, FrozenPlace, FrozenRequest, FrozenRows};
use serde::Deserialize;

use super::cells;

/// What is scanned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    region: FrozenPlace,
    files: FrozenFiles,
    /// A read spec in hex; all rows without it.
    spec: Option<String>,
    /// Time by which times to live are over; now without it.
    now_millis: Option<i64>,
}

/// Prints the cells that a scan of a region's files returns, a JSON document per line: `row`, `family`, `qualifier`, `timestamp`, `type`, `value`
/// and, where the spec wants them, `tags`. Returns what was looked at. The request is described in `docs/inspect.md`.
///
/// # Errors
/// The request is wrong, a file is missing or damaged, or nothing can be printed any more.
pub fn print_frozen(env: Arc<dyn Env>, request_json: &str, out: &mut impl Write) -> Result<ScanCounts> {
    let bad = |e| Error::new(ErrorKind::BadRequest, format!("frozen scan: {e}"));
    let request: Request = serde_json::from_str(request_json).map_err(bad)?;
    let now_millis = request.now_millis.unwrap_or_else(|| env.now_millis());
    let spec = request.spec.as_deref().map(|spec| from_hex(spec, "the spec")).transpose()?;
    let region = FrozenRequest {
        region: request.region,
        files: request.files,
        row_bytes_max: None,
        cache_bytes: None,
    };
    let region = region.open_local(env, Arc::new(NoPatternCompiler))?;
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
