//! What a server's log no longer has to bring back: the *settled marks* of regions that closed in order.
//!
//! A region that closed in order has every edit up to a sequence id in its files. From then on the master may take these files away: it
//! restores a snapshot, truncates, drops a family. The log does not know, and a split that looked at nothing but the log would bring
//! back what was taken away. So an orderly close leaves a mark, and the split leaves out what the mark covers. A mark lies outside the
//! region's directory, which the master may remove and make again under the same name, and outside the log's, which the master empties.
//! The layout is in `docs/format/settled.md`, the reasons are in `docs/design/0018-settled-marks.md`.
//!
//! Invariants: 1. A mark is durable before the close is reported. 2. As long as a mark may be on the medium, a region of its name that
//! opens on this server begins above it. 3. A mark goes only when no segment of the log that may have its edits can come back, and a close
//! does without a mark on the same condition.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::crash_point;
use grampus_base::sync::Mutex;
use grampus_base::sync::atomic::{AtomicU64, Ordering};
use grampus_env::Env;

/// What Grampus keeps below the root directory for itself.
const PRIVATE_DIRECTORY: &str = ".grampus";
const SETTLED_DIRECTORY: &str = "settled";
/// How the master renames the log directory of a dead server before it splits the log.
const SPLITTING_SUFFIX: &str = "-splitting";
/// Stands for a segment that is never moved away.
const FOR_EVER: i64 = i64::MAX;

/// One region's mark, as long as the log may have edits below it.
struct Mark {
    sequence: u64,
    /// The marks of the region that may be on the medium.
    files: Vec<u64>,
    /// Creation time of the newest segment that may have edits below the mark.
    newest_segment: i64,
}

/// The marks of one server's log.
pub(super) struct SettledMarks {
    env: Arc<dyn Env>,
    dir: PathBuf,
    /// Where finished segments go.
    old_dir: PathBuf,
    log_dir: PathBuf,
    marks: Mutex<BTreeMap<String, Mark>>,
    /// Attempts to move a segment away.
    archived: AtomicU64,
    /// How many of them no death of the machine can take back.
    archived_durably: Mutex<u64>,
}

impl SettledMarks {
    /// The marks of the server with a log directory, `<root>/WALs/<server>`, which exists. Those of an earlier life under the same name
    /// stay in force.
    pub(super) fn of_log(env: Arc<dyn Env>, log_dir: &Path, old_dir: &Path) -> io::Result<SettledMarks> {
        let dir = marks_dir(log_dir);
        env.mkdir_durably(&dir)?;
        let earlier = read(&*env, &dir)?;
        let lasting = |sequence| Mark { sequence, files: vec![sequence], newest_segment: FOR_EVER };
        let marks = earlier.into_iter().map(|(region, sequence)| (region, lasting(sequence))).collect();
        let (old_dir, log_dir) = (old_dir.to_path_buf(), log_dir.to_path_buf());
        Ok(SettledMarks {
            env,
            dir,
            old_dir,
            log_dir,
            marks: Mutex::new(marks),
            archived: AtomicU64::new(0),
            archived_durably: Mutex::new(0),
        })
    }

    /// A segment was moved away, or may have been. Called before the log forgets the segment.
    pub(super) fn note_archived(&self) {
        self.archived.fetch_add(1, Ordering::AcqRel);
    }

    /// What left the log's directory does not come back after this. Costs nothing when no segment left since the last time.
    pub(super) fn sync_archived(&self) -> io::Result<()> {
        let archived = self.archived.load(Ordering::Acquire);
        let mut durably = self.archived_durably.lock();
        if *durably < archived {
            self.env.sync_dir(&self.old_dir)?;
            self.env.sync_dir(&self.log_dir)?;
            *durably = archived;
        }
        Ok(())
    }

    /// The mark of a region, 0 without one.
    pub(super) fn of_region(&self, encoded: &str) -> u64 {
        self.marks.lock().get(encoded).map_or(0, |mark| mark.sequence)
    }

    /// Writes a region's mark; durable when this returns. No segment newer than the given one has edits below it.
    pub(super) fn write(&self, encoded: &str, sequence: u64, newest_segment: i64) -> io::Result<()> {
        let mut marks = self.marks.lock();
        let new = || Mark { sequence, files: Vec::new(), newest_segment };
        let mark = marks.entry(encoded.to_string()).or_insert_with(new);
        mark.sequence = mark.sequence.max(sequence);
        mark.newest_segment = mark.newest_segment.max(newest_segment);
        mark.files.push(sequence);
        self.env.create_mark(&self.path(encoded, sequence))?;
        crash_point!("close.after_settled_mark");
        // Of several the highest counts, so it does not matter when the others go.
        for lower in mark.files.iter().filter(|file| **file < mark.sequence) {
            self.delete(encoded, *lower)?;
        }
        Ok(())
    }

    /// Forgets the marks that concern no segment from `oldest_segment` on.
    pub(super) fn forget_before(&self, oldest_segment: i64) -> io::Result<()> {
        let mut marks = self.marks.lock();
        if marks.values().all(|mark| mark.newest_segment >= oldest_segment) {
            return Ok(());
        }
        // A segment that a machine's death brings back into the log's directory would be split without the mark.
        self.sync_archived()?;
        crash_point!("wal.before_forget_settled");
        for (region, mark) in marks.iter().filter(|(_, mark)| mark.newest_segment < oldest_segment) {
            for file in &mark.files {
                self.delete(region, *file)?;
            }
        }
        // A mark that came back later would hide the edits of a region that began below it.
        self.env.sync_dir(&self.dir)?;
        marks.retain(|_, mark| mark.newest_segment >= oldest_segment);
        Ok(())
    }

    /// Removes the directory of a log that has ended, if no mark is left in it.
    pub(super) fn remove_if_empty(&self) -> io::Result<()> {
        match self.env.delete(&self.dir) {
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => {
                Ok(())
            }
            removed => removed,
        }
    }

    fn delete(&self, encoded: &str, sequence: u64) -> io::Result<()> {
        delete(&*self.env, &self.path(encoded, sequence))
    }

    fn path(&self, encoded: &str, sequence: u64) -> PathBuf {
        self.dir.join(format!("{encoded}.{sequence}"))
    }
}

/// The marks of the server whose log a segment is of; none where it left none.
pub(super) fn of_segment(env: &dyn Env, segment: &Path) -> io::Result<BTreeMap<String, u64>> {
    segment.parent().map_or_else(|| Ok(BTreeMap::new()), |log_dir| read(env, &marks_dir(log_dir)))
}

/// Removes the marks of servers whose logs are gone from beside the given log directory, and returns how many servers these were.
pub fn remove_orphans(env: &dyn Env, log_dir: &Path) -> io::Result<usize> {
    let (Some(logs), Some(settled)) = (log_dir.parent(), marks_dir(log_dir).parent().map(Path::to_path_buf))
    else {
        return Ok(0);
    };
    let servers = match env.list(&settled) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(0),
        servers => servers?,
    };
    // What is gone now must not come back after the marks went.
    env.sync_dir(logs)?;
    let mut removed = 0;
    for server in servers.into_iter().filter(|entry| entry.is_dir) {
        // In this order: the master renames the first to the second.
        let splitting = format!("{}{SPLITTING_SUFFIX}", server.name);
        if !env.exists(&logs.join(&server.name))? && !env.exists(&logs.join(splitting))? {
            let dir = settled.join(&server.name);
            for mark in env.list(&dir)? {
                delete(env, &dir.join(mark.name))?;
            }
            delete(env, &dir)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// `<root>/.grampus/settled/<server>` of `<root>/WALs/<server>`, as it is named while the server lives and while its log is split.
fn marks_dir(log_dir: &Path) -> PathBuf {
    let root = log_dir.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let name = log_dir.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let server = name.strip_suffix(SPLITTING_SUFFIX).unwrap_or(&name);
    root.join(PRIVATE_DIRECTORY).join(SETTLED_DIRECTORY).join(server)
}

/// The highest mark of each region. Files with other names are no marks.
fn read(env: &dyn Env, dir: &Path) -> io::Result<BTreeMap<String, u64>> {
    let entries = match env.list(dir) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        entries => entries?,
    };
    let mut marks = BTreeMap::new();
    for entry in entries {
        if let Some((region, sequence)) = parse(&entry.name) {
            let mark: &mut u64 = marks.entry(region.to_string()).or_default();
            *mark = (*mark).max(sequence);
        }
    }
    Ok(marks)
}

fn parse(name: &str) -> Option<(&str, u64)> {
    let (region, sequence) = name.rsplit_once('.')?;
    let digits = sequence.bytes().all(|b| b.is_ascii_digit());
    (digits && !region.is_empty()).then(|| sequence.parse().ok()).flatten().map(|sequence| (region, sequence))
}

fn delete(env: &dyn Env, path: &Path) -> io::Result<()> {
    match env.delete(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grampus_env::FakeEnv;

    fn log_dir(server: &str) -> PathBuf {
        Path::new("/h/WALs").join(server)
    }

    fn marks_of(env: &FakeEnv, server: &str) -> SettledMarks {
        for dir in [&log_dir(server), Path::new("/h/oldWALs")] {
            env.mkdir_durably(dir).unwrap();
        }
        SettledMarks::of_log(Arc::new(env.clone()), &log_dir(server), Path::new("/h/oldWALs")).unwrap()
    }

    fn in_split(env: &FakeEnv, server: &str) -> BTreeMap<String, u64> {
        of_segment(env, &Path::new("/h/WALs").join(format!("{server}-splitting")).join("segment.1")).unwrap()
    }

    #[test]
    fn names_that_are_no_marks_are_passed_over() {
        assert_eq!(parse("0a.17"), Some(("0a", 17)));
        assert_eq!(parse("a.b.0"), Some(("a.b", 0)));
        for bad in [
            "",
            ".",
            "17",
            ".17",
            "0a.",
            "0a.x",
            "0a.-1",
            "0a.+1",
            "0a. 1",
            "0a.18446744073709551616",
            "0a.17.tmp",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_split_sees_the_highest_mark_also_after_the_machine_died() {
        let env = FakeEnv::new(1);
        let marks = marks_of(&env, "s,1,2");
        assert_eq!(in_split(&env, "s,1,2"), BTreeMap::new());
        marks.write("0a", 9, 1).unwrap();
        marks.write("0a", 12, 3).unwrap();
        marks.write("0b", 1, 3).unwrap();
        env.crash_machine();
        assert_eq!(in_split(&env, "s,1,2"), BTreeMap::from([("0a".to_string(), 12), ("0b".to_string(), 1)]));
        assert_eq!(in_split(&env, "s,1,3"), BTreeMap::new());
        assert_eq!(
            marks_of(&env, "s,1,2").of_region("0a"),
            12,
            "a later life under the same name knows them"
        );
    }

    #[test]
    fn a_mark_goes_with_the_segments_it_concerns_and_not_before() {
        let env = FakeEnv::new(1);
        let marks = marks_of(&env, "s");
        marks.write("0a", 9, 5).unwrap();
        marks.write("0b", 9, 7).unwrap();
        marks.forget_before(5).unwrap();
        assert_eq!((marks.of_region("0a"), marks.of_region("0b")), (9, 9));
        marks.forget_before(6).unwrap();
        assert_eq!((marks.of_region("0a"), marks.of_region("0b")), (0, 9));
        env.crash_machine();
        assert_eq!(
            in_split(&env, "s"),
            BTreeMap::from([("0b".to_string(), 9)]),
            "what is forgotten cannot come back"
        );
        marks.remove_if_empty().unwrap();
        assert!(env.exists(&marks.dir).unwrap());
        marks.forget_before(8).unwrap();
        marks.remove_if_empty().unwrap();
        assert!(!env.exists(&marks.dir).unwrap());
    }

    #[test]
    fn only_marks_of_servers_without_a_log_are_orphans() {
        let env = FakeEnv::new(1);
        for server in ["alive", "split", "gone"] {
            marks_of(&env, server).write("0a", 9, 1).unwrap();
        }
        env.mkdir(&log_dir("split-splitting")).unwrap();
        env.delete(&log_dir("split")).unwrap();
        env.delete(&log_dir("gone")).unwrap();
        assert_eq!(remove_orphans(&env, &log_dir("alive")).unwrap(), 1);
        assert_eq!(remove_orphans(&env, &log_dir("alive")).unwrap(), 0);
        let left = env.list(Path::new("/h/.grampus/settled")).unwrap();
        assert_eq!(left.into_iter().map(|entry| entry.name).collect::<Vec<_>>(), ["alive", "split"]);
    }
}
