//! The layouts of replies as this side writes them, compared with the golden file that Java's side is compared with, too.

use std::fmt::Write;
use std::path::Path;

use grampus_base::ErrorKind;
use grampus_engine::reply::scan_info::Stop;
use grampus_engine::reply::{get, mutation, scan_info};
use grampus_engine::{Engine, RegionStats};
use grampus_env::{Env, FakeEnv};
use grampus_testkit::wire::open_region_json;

use crate::engine_exports::completion;
use crate::status;
use crate::upcalls::FILE_FAILURES;

const GOLDEN: &str = "../../testdata/boundary/layouts.txt";

/// The statistics of a region that is open.
fn region_stats() -> RegionStats {
    let env = std::sync::Arc::new(FakeEnv::new(1));
    let engine = Engine::open_in(env.clone(), "{}").unwrap();
    engine.start_wal("/h/WALs/s1", "/h/oldWALs", "s1").unwrap();
    env.mkdir_durably(Path::new("/h/data/default/t/0123456789abcdef0123456789abcdef")).unwrap();
    let families = [("f", "\"maxVersions\":1")];
    let region =
        engine.open_region(&open_region_json("/h", "0123456789abcdef0123456789abcdef", &families)).unwrap();
    let stats = region.stats();
    region.close(true).unwrap();
    stats
}

/// The text that is compared.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, name: &str, value: usize) {
        writeln!(self.0, "{name} {value}").unwrap();
    }
}

fn replies(lines: &mut Lines) {
    lines.line("get.cell_count", get::CELL_COUNT);
    lines.line("get.cell_bytes", get::CELL_BYTES);
    lines.line("get.header_bytes", get::HEADER_BYTES);
    lines.line("mutation.status", mutation::STATUS);
    lines.line("mutation.error_kind", mutation::ERROR_KIND);
    lines.line("mutation.payload_length", mutation::PAYLOAD_LENGTH);
    lines.line("mutation.header_bytes", mutation::HEADER_BYTES);
    lines.line("mutation.status.done", mutation::DONE.into());
    lines.line("mutation.status.done_with_cells", mutation::DONE_WITH_CELLS.into());
    lines.line("mutation.status.not_matched", mutation::NOT_MATCHED.into());
    lines.line("mutation.status.failed", mutation::FAILED.into());
}

fn scan_info_block(lines: &mut Lines) {
    lines.line("scan_info.result_count", scan_info::RESULT_COUNT);
    lines.line("scan_info.cell_bytes", scan_info::CELL_BYTES);
    lines.line("scan_info.end_of_region", scan_info::END_OF_REGION);
    lines.line("scan_info.filter_all_remaining", scan_info::FILTER_ALL_REMAINING);
    lines.line("scan_info.stop_reason", scan_info::STOP_REASON);
    lines.line("scan_info.needed_bytes", scan_info::NEEDED_BYTES);
    lines.line("scan_info.rows_scanned", scan_info::ROWS_SCANNED);
    lines.line("scan_info.rows_filtered", scan_info::ROWS_FILTERED);
    lines.line("scan_info.bytes_scanned", scan_info::BYTES_SCANNED);
    lines.line("scan_info.read_point", scan_info::READ_POINT);
    lines.line("scan_info.complete_rows", scan_info::COMPLETE_ROWS);
    lines.line("scan_info.last_row_length", scan_info::LAST_ROW_LENGTH);
    lines.line("scan_info.results", scan_info::RESULTS);
    for (name, stop) in [
        ("end", Stop::End),
        ("results", Stop::Results),
        ("rows", Stop::Rows),
        ("size", Stop::Size),
        ("time", Stop::Time),
        ("output_full", Stop::Output),
        ("paused", Stop::Paused),
    ] {
        lines.line(&format!("stop.{name}"), stop as usize);
    }
}

fn calls(lines: &mut Lines) {
    lines.line("completion.token", completion::TOKEN);
    lines.line("completion.kind", completion::KIND);
    lines.line("completion.entry_bytes", completion::ENTRY_BYTES);
    for (name, code) in [
        ("done", status::DONE),
        ("pending", status::PENDING),
        ("would_block", status::WOULD_BLOCK),
        ("need_bytes", status::NEED_BYTES),
        ("overflow_done", status::DONE + status::OVERFLOW),
        ("overflow_pending", status::PENDING + status::OVERFLOW),
        ("wait", status::WAIT),
    ] {
        lines.line(&format!("call.{name}"), usize::try_from(code).unwrap());
    }
}

fn statistics_and_errors(lines: &mut Lines) {
    for (place, (name, _)) in region_stats().numbers.iter().enumerate() {
        lines.line(&format!("region_stats.{name}"), 8 * place);
    }
    for (name, code, _) in FILE_FAILURES {
        lines.line(&format!("file_failure.{name}"), usize::try_from(code).unwrap());
    }
    for (name, kind) in [
        ("bad_request", ErrorKind::BadRequest),
        ("no_such_family", ErrorKind::NoSuchFamily),
        ("wrong_region", ErrorKind::WrongRegion),
        ("busy", ErrorKind::Busy),
        ("not_serving", ErrorKind::NotServing),
        ("corrupt", ErrorKind::Corrupt),
        ("poisoned", ErrorKind::Poisoned),
        ("io", ErrorKind::Io),
        ("sanity", ErrorKind::Sanity),
        ("row_too_big", ErrorKind::RowTooBig),
        ("timeout", ErrorKind::Timeout),
        ("bug", ErrorKind::Bug),
        ("large_answers", ErrorKind::LargeAnswers),
    ] {
        lines.line(&format!("error.{name}"), kind as usize);
    }
}

fn layouts() -> String {
    let mut lines = Lines::default();
    replies(&mut lines);
    scan_info_block(&mut lines);
    calls(&mut lines);
    statistics_and_errors(&mut lines);
    lines.0
}

#[test]
fn the_layouts_are_those_of_the_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == layouts(), "{} should be:\n{}", path.display(), layouts());
}
