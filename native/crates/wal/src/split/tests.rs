use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grampus_base::crash_point;
use grampus_env::{FakeEnv, FakeKind};

use super::*;
use crate::{RecordBuilder, segment};

const SEGMENT: &str = "/h/WALs/s/s.1";
/// With edits in the segment; the first is gone, and the last closed in order before its last edit.
const REGIONS: u64 = 12;

/// A region may be open, or hold what a snapshot had, once the segment is in the archive.
#[test]
fn nothing_is_begun_for_a_segment_that_another_worker_has_split() {
    for kind in FakeKind::ALL {
        let (env, region, segment) = (FakeEnv::of(kind, 1), Path::new("/h/r"), Path::new("/h/s.1"));
        env.mkdir(region).unwrap();
        let gone = begin(&env, region, region, Attempt(1), segment).err().unwrap();
        assert!(gone.to_string().contains("another worker has split it"), "{gone}");
        assert!(env.files().is_empty(), "{:?}", env.files());
        env.create(segment).unwrap().close().unwrap();
        assert!(begin(&env, region, region, Attempt(1), segment).unwrap().is_some());
    }
}

/// A dead server's segment with edits of all regions among each other.
fn with_segment(kind: FakeKind) -> FakeEnv {
    let (env, segment) = (FakeEnv::of(kind, 1), Path::new(SEGMENT));
    env.mkdir(segment.parent().unwrap()).unwrap();
    (1..REGIONS).for_each(|region| env.mkdir(&dir_of(region)).unwrap());
    let marks = Path::new("/h/.grampus/settled/s");
    env.mkdir(marks).unwrap();
    env.create_mark(&marks.join(format!("r{}.{}", REGIONS - 1, 3 * REGIONS))).unwrap();
    let mut file = env.create(segment).unwrap();
    file.append(&segment::header(0, 1)).unwrap();
    for sequence in 1..=4 * REGIONS {
        let region = format!("r{}", (sequence - 1) % REGIONS);
        let record = RecordBuilder::new("t", &region, 1, 0, &[], 0).unwrap().finish().unwrap();
        file.append(&record.with_sequence(sequence)).unwrap();
    }
    file.close().unwrap();
    env
}

fn dir_of(region: u64) -> PathBuf {
    region_dir(Path::new("/h"), "t", &format!("r{region}"))
}

/// The report, all files, and the most that were open when one was put in place.
fn split_by(kind: FakeKind, outputs_max: usize) -> (SplitReport, Vec<(PathBuf, Vec<u8>)>, usize) {
    let (env, most) = (with_segment(kind), Arc::new(AtomicUsize::new(0)));
    let (seen, counted) = (env.clone(), Arc::clone(&most));
    crash_point::set_thread_hook(Some(Box::new(move |point| {
        assert_eq!(point, "recovery.after_split_before_rename");
        let is_open = |path: &&PathBuf| path.to_string_lossy().ends_with(".tmp");
        counted.fetch_max(seen.files().iter().filter(is_open).count(), Ordering::Relaxed);
        Ok(())
    })));
    let roots = Roots { files: Path::new("/h"), logs: Path::new("/h") };
    let report = split_in_passes(&env, Path::new(SEGMENT), roots, Attempt(1), false, outputs_max);
    crash_point::set_thread_hook(None);
    let files = env.files().into_iter().map(|path| (path.clone(), env.read(&path).unwrap())).collect();
    (report.unwrap(), files, most.load(Ordering::Relaxed))
}

#[test]
fn a_split_in_passes_writes_what_one_pass_writes() {
    for kind in FakeKind::ALL {
        let (report, files, open) = split_by(kind, OUTPUTS_MAX);
        let expected = SplitReport { regions: 11, edits: 41, settled: 3, left_out: Vec::new() };
        assert_eq!((&report, open), (&expected, 11));
        for outputs_max in [1, 2, 5, 10, 11, 12] {
            let (report, in_passes, open) = split_by(kind, outputs_max);
            assert_eq!(report, expected, "{outputs_max}");
            assert!(in_passes == files, "{kind:?}, {outputs_max} at a time");
            assert_eq!(open, outputs_max.min(11));
        }
    }
}

/// What a pass has put in place does not show again what the next ones leave out, nor does damage behind it come to light too late.
#[test]
fn damage_is_found_before_anything_is_put_in_place_and_is_kept_once() {
    for skip_errors in [false, true] {
        let env = with_segment(FakeKind::Local);
        let len = env.len(Path::new(SEGMENT)).unwrap();
        env.flip(Path::new(SEGMENT), len as usize - 100).unwrap();
        let roots = Roots { files: Path::new("/h"), logs: Path::new("/h") };
        let before = env.files();
        let report = split_in_passes(&env, Path::new(SEGMENT), roots, Attempt(1), skip_errors, 2);
        match report {
            Err(_) => assert_eq!((skip_errors, env.files()), (false, before)),
            Ok(report) => assert_eq!((skip_errors, report.left_out.len()), (true, 1)),
        }
    }
}

/// Bytes that go bad between two passes are an error, and not edits that are missing: neither those in the middle nor the last ones, which look
/// like a write that its server did not complete.
#[test]
fn damage_that_comes_between_two_passes_is_an_error() {
    for (skip_errors, from_end) in [(false, 100), (true, 100), (false, 40), (true, 40)] {
        let env = with_segment(FakeKind::Local);
        let at = env.len(Path::new(SEGMENT)).unwrap() as usize - from_end;
        let (disk, mut flips) = (env.clone(), Some(()));
        crash_point::set_thread_hook(Some(Box::new(move |_| {
            if flips.take().is_some() {
                disk.flip(Path::new(SEGMENT), at).unwrap();
            }
            Ok(())
        })));
        let roots = Roots { files: Path::new("/h"), logs: Path::new("/h") };
        let report = split_in_passes(&env, Path::new(SEGMENT), roots, Attempt(1), skip_errors, 2);
        crash_point::set_thread_hook(None);
        let error = report.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Corrupt, "{error}");
        assert!(env.exists(Path::new(SEGMENT)).unwrap());
    }
}
