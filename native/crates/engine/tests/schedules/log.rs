//! The log and the read point: writers, segments that begin and fail, tokens.

use super::*;

const DIR: &str = "/h/WALs/s";
const OLD_DIR: &str = "/h/oldWALs";

/// A log with one region, and what must become of the region's tokens.
struct Commits {
    env: FakeEnv,
    wal: Arc<Wal>,
    completions: Arc<CompletionQueue>,
    mvcc: Arc<Mvcc>,
    log: Arc<RegionLog>,
    /// Bit n: the edit with sequence id n is in the memtable.
    applied: AtomicU64,
}

/// What a writer learns of its edit at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// The token will be handed out.
    Pending,
    Failed,
}

impl Commits {
    fn new(segment_bytes: u64) -> Arc<Commits> {
        Commits::on(FakeKind::Local, segment_bytes)
    }

    fn on(kind: FakeKind, segment_bytes: u64) -> Arc<Commits> {
        let env = FakeEnv::of(kind, 1);
        let completions = Arc::new(CompletionQueue::default());
        let settings = WalSettings {
            dir: PathBuf::from(DIR),
            old_dir: PathBuf::from(OLD_DIR),
            prefix: "s".to_string(),
            meta: false,
            segment_bytes,
            always_fsync: false,
        };
        let lost = Arc::clone(&completions);
        let on_loss = Box::new(move || lost.push([NO_CALL], POISONED));
        let wal = Wal::start(Arc::new(env.clone()), settings, on_loss, Arc::default()).unwrap();
        let mvcc = Mvcc::of_log(&wal, 0, Arc::clone(&completions));
        let log = RegionLog::new("t", "r", 0, mvcc.clone());
        Arc::new(Commits { env, wal, completions, mvcc, log, applied: AtomicU64::new(0) })
    }

    /// An edit as `Region::mutate` commits it; the token is its number.
    fn write(&self, number: u64, durability: Durability) -> Outcome {
        self.check_read_point();
        let mut needs = Need::Nothing;
        let begun = self.mvcc.begin(|sequence| {
            if durability == Durability::Skip {
                return Ok(Need::Nothing);
            }
            needs = self.wal.append(record(number), sequence, &self.log, durability)?;
            Ok(needs)
        });
        let Ok(sequence) = begun else { return Outcome::Failed };
        self.applied.fetch_or(1 << sequence, Ordering::SeqCst);
        let settled = self
            .mvcc
            .applied(sequence, None)
            .and_then(|_| self.wal.commit(durability))
            .and_then(|()| self.mvcc.settle(sequence, number));
        self.check_read_point();
        match settled {
            Ok(true) => {
                assert!(self.mvcc.read_point() >= sequence, "an edit is acknowledged and not visible");
                let progress = self.wal.progress();
                match needs {
                    Need::Nothing => {}
                    Need::Written(end) => assert!(progress.written.load(Ordering::SeqCst) >= end),
                    Need::Synced(end) => assert!(progress.synced.load(Ordering::SeqCst) >= end),
                }
                Outcome::Done
            }
            Ok(false) => Outcome::Pending,
            Err(_) => Outcome::Failed,
        }
    }

    /// Whatever readers may see is in the memtable.
    fn check_read_point(&self) {
        let read_point = self.mvcc.read_point();
        let visible = (1 << (read_point + 1)) - 2;
        assert_eq!(
            self.applied.load(Ordering::SeqCst) & visible,
            visible,
            "up to {read_point} all is visible"
        );
    }

    /// Waits until `count` tokens were handed out; fails on one that comes twice.
    fn tokens(&self, count: usize) -> BTreeMap<u64, u8> {
        let mut seen = BTreeMap::new();
        while seen.len() < count {
            let mut polled = Vec::new();
            assert!(self.completions.poll(&mut polled, Duration::from_secs(1)));
            for (token, kind) in polled {
                assert_eq!(seen.insert(token, kind), None, "token {token} was handed out twice");
            }
        }
        seen
    }

    /// Sequence ids and rows of all edits in the log's segments, in the order of the log.
    fn logged(&self) -> Vec<(u64, Vec<u8>)> {
        let mut edits = Vec::new();
        for dir in [OLD_DIR, DIR] {
            for segment in self.env.list(Path::new(dir)).unwrap() {
                let path = Path::new(dir).join(segment.name);
                let mut reader = SegmentReader::open(&self.env, &path).unwrap();
                while let Some(edit) = reader.next_edit().unwrap() {
                    let decoded = edit.decode().unwrap();
                    edits.push((edit.sequence, decoded.cells[0].cell.row.to_vec()));
                }
            }
        }
        edits
    }
}

fn record(number: u64) -> grampus_wal::record::Record {
    let mut record = RecordBuilder::new("t", "r", 1, 0, &[], 256).unwrap();
    let row = number.to_be_bytes();
    let cell = CellRef {
        row: &row,
        qualifier: b"q",
        timestamp: 1,
        cell_type: CellType::PUT,
        value: b"v",
        tags: b"",
        sequence: 0,
    };
    record.push(b"f", &cell);
    record.finish().unwrap()
}

/// Writers with two edits each, whose tokens are 2n and 2n + 1.
fn writers(
    commits: &Arc<Commits>,
    durabilities: &[[Durability; 2]],
) -> Vec<thread::JoinHandle<[Outcome; 2]>> {
    let start = |(n, pair): (usize, &[Durability; 2])| {
        let (commits, [first, second]) = (Arc::clone(commits), *pair);
        let token = 2 * n as u64;
        thread::spawn(move || [commits.write(token, first), commits.write(token + 1, second)])
    };
    durabilities.iter().enumerate().map(start).collect()
}

/// Outcomes by token.
fn outcomes(writers: Vec<thread::JoinHandle<[Outcome; 2]>>) -> BTreeMap<u64, Outcome> {
    writers
        .into_iter()
        .flat_map(|writer| writer.join().unwrap())
        .enumerate()
        .map(|(t, o)| (t as u64, o))
        .collect()
}

fn pending(outcomes: &BTreeMap<u64, Outcome>) -> Vec<u64> {
    outcomes.iter().filter(|(_, outcome)| **outcome == Outcome::Pending).map(|(token, _)| *token).collect()
}

/// Every edit is acknowledged once, in the log once and in order, and visible in the end.
fn commit_all(segment_bytes: u64, rolls: bool, durabilities: &[[Durability; 2]]) {
    commit_all_to(&Commits::new(segment_bytes), rolls, durabilities);
}

fn commit_all_to(commits: &Arc<Commits>, rolls: bool, durabilities: &[[Durability; 2]]) {
    let writers = writers(commits, durabilities);
    let roller = rolls.then(|| {
        let commits = Arc::clone(commits);
        thread::spawn(move || commits.wal.roll().unwrap())
    });
    let outcomes = outcomes(writers);
    let waiting = pending(&outcomes);
    let tokens = commits.tokens(waiting.len());
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), waiting);
    assert!(tokens.values().all(|kind| *kind == DURABLE));
    assert!(outcomes.values().all(|outcome| *outcome != Outcome::Failed));
    let edits = 2 * durabilities.len() as u64;
    assert_eq!(commits.mvcc.read_point(), edits, "all is visible once all is acknowledged");
    if let Some(roller) = roller {
        roller.join().unwrap();
    }
    drop(commits.wal.close());
    let logged = commits.logged();
    let of_log = durabilities.iter().flatten().filter(|d| **d > Durability::Skip).count();
    assert_eq!(logged.len(), of_log);
    assert!(logged.is_sorted_by(|a, b| a.0 < b.0), "the log is out of order: {logged:?}");
    let mut rows: Vec<_> = logged.into_iter().map(|(_, row)| row).collect();
    rows.sort();
    rows.dedup();
    assert_eq!(rows.len(), of_log, "an edit is in the log twice");
}

const LARGE: u64 = 1 << 20;

#[test]
fn edits_that_are_written_inline_are_acknowledged_once_and_visible_in_order() {
    explore(|| {
        commit_all(LARGE, false, &[[Durability::Sync; 2], [Durability::Sync; 2], [Durability::Sync; 2]])
    });
}

#[test]
fn edits_of_all_durabilities_share_groups() {
    explore(|| {
        let pairs = [
            [Durability::Sync, Durability::Fsync],
            [Durability::Skip, Durability::Sync],
            [Durability::Async; 2],
        ];
        commit_all(LARGE, false, &pairs);
    });
}

#[test]
fn no_edit_is_left_behind_while_the_log_begins_segments() {
    explore(|| commit_all(LARGE, true, &[[Durability::Sync; 2], [Durability::Sync; 2]]));
    explore(|| commit_all(1, true, &[[Durability::Sync, Durability::Fsync], [Durability::Sync; 2]]));
}

/// Rolls, ends and closes of segments on threads of their own, beside each other and beside the end: no segment is left that no region needs.
#[test]
fn a_remote_log_ends_with_all_its_segments_moved_away() {
    explore(|| {
        let commits = Commits::on(FakeKind::Remote, 1);
        commits.log.set_flushed(u64::MAX);
        commit_all_to(&commits, true, &[[Durability::Sync; 2], [Durability::Fsync, Durability::Sync]]);
        assert_eq!(commits.env.list(Path::new(DIR)).unwrap(), []);
    });
}

#[test]
fn a_log_that_fails_hands_every_token_out_once_and_says_so_to_everybody() {
    explore(|| {
        let commits = Commits::new(LARGE);
        let writers = writers(&commits, &[[Durability::Sync; 2], [Durability::Sync, Durability::Fsync]]);
        let breaker = {
            let commits = Arc::clone(&commits);
            thread::spawn(move || commits.env.set_faults(Faults { free_bytes: Some(0), ..Faults::default() }))
        };
        let outcomes = outcomes(writers);
        breaker.join().unwrap();
        let last = commits.write(99, Durability::Sync);
        assert_ne!(last, Outcome::Done, "the disk is full");
        let mut waiting = pending(&outcomes);
        waiting.extend((last == Outcome::Pending).then_some(99));
        // One more: the loss itself.
        let tokens = commits.tokens(waiting.len() + 1);
        assert_eq!(tokens.get(&NO_CALL), Some(&POISONED));
        waiting.push(NO_CALL);
        assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), waiting);
        assert!(commits.mvcc.wait_for(u64::MAX, Duration::from_secs(1)).is_err());
        drop(commits.wal.close());
        // What was acknowledged is in the log.
        let logged = commits.logged();
        let durable = |token: &u64| tokens.get(token) == Some(&DURABLE);
        let acknowledged = outcomes.iter().filter(|(token, o)| **o == Outcome::Done || durable(token));
        for (token, _) in acknowledged {
            assert!(logged.iter().any(|(_, row)| *row == token.to_be_bytes()), "edit {token} is lost");
        }
    });
}

/// Segments that fail in the middle: each edit is acknowledged once, is in the log, and is on the medium where that was asked for, also if it
/// was written to the broken segment by one thread and was to be synced by another.
#[test]
fn a_log_whose_flush_fails_keeps_what_it_acknowledged() {
    explore(|| {
        let commits = Commits::new(LARGE);
        let durabilities = [[Durability::Sync, Durability::Fsync], [Durability::Fsync, Durability::Sync]];
        let writers = writers(&commits, &durabilities);
        let breaker = {
            let commits = Arc::clone(&commits);
            let faults = Faults { fail_flush_in: Some(1), failing_flushes: 2, ..Faults::default() };
            thread::spawn(move || commits.env.set_faults(faults))
        };
        let outcomes = outcomes(writers);
        breaker.join().unwrap();
        let tokens = commits.tokens(pending(&outcomes).len());
        assert!(tokens.values().all(|kind| *kind == DURABLE));
        assert!(outcomes.values().all(|outcome| *outcome != Outcome::Failed));
        let has = |token: usize| commits.logged().iter().any(|(_, row)| *row == (token as u64).to_be_bytes());
        assert!((0..4).all(has), "an edit is not in the log: {:?}", commits.logged());
        commits.env.crash_machine();
        let fsynced = durabilities.iter().flatten().enumerate().filter(|(_, d)| **d == Durability::Fsync);
        for (token, _) in fsynced {
            assert!(has(token), "edit {token} was to be on the medium: {:?}", commits.logged());
        }
        commits.env.set_faults(Faults::default());
        drop(commits.wal.close());
    });
}

#[test]
fn who_waits_for_the_read_point_is_woken() {
    explore(|| {
        let commits = Commits::new(LARGE);
        let waiters: Vec<_> = [1, 3]
            .map(|sequence| {
                let commits = Arc::clone(&commits);
                thread::spawn(move || {
                    assert!(commits.mvcc.wait_for(sequence, Duration::from_secs(1)).unwrap());
                    assert!(commits.mvcc.read_point() >= sequence);
                })
            })
            .into();
        outcomes(writers(
            &commits,
            &[[Durability::Sync, Durability::Fsync], [Durability::Skip, Durability::Sync]],
        ));
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
        drop(commits.wal.close());
    });
}
