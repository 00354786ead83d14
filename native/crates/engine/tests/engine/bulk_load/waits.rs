//! Operations that wait for a load, and what a load waits for.

use super::*;

#[test]
fn a_second_load_is_told_to_come_again() {
    let (_env, f, files) = with_two_files();
    let inner = parking_lot::Mutex::new(None);
    let fence = || {
        inner.lock().get_or_insert_with(|| order(&f.region, &[&files[1]], false).unwrap_err().kind);
        Ok(())
    };
    order_fenced(&f.region, &[&files[0]], false, &fence).unwrap();
    assert_eq!(inner.into_inner(), Some(ErrorKind::Busy));
    order(&f.region, &[&files[1]], false).unwrap();
    assert_eq!(everything(&f), LOADED);
}

#[test]
fn an_operation_that_reads_sees_a_load_that_is_below_it() {
    let (env, f, _) = with_two_files();
    let one = 1_i64.to_be_bytes();
    let increment = |nonce| RowOp::increment(nonce, &[Cell::put("n", "f", "q", i64::MAX, one)]);
    f.put(Cell::put("n", "f", "q", 5, one));
    let late = env.now_millis() + 1_000_000; // behind what the server stamps
    let file = written(&env, "f", 9, &[Cell::put("n", "f", "q", late, 100_i64.to_be_bytes())]);
    let asked = AtomicU64::new(0);
    let fence = || {
        // What is read is in memory, so that nothing else has to be waited for.
        f.get(&Spec::get("n"));
        match asked.fetch_add(1, Ordering::Relaxed) {
            1 => assert_ne!(tries(&f.region, increment(1)), MutateStatus::WouldBlock),
            // The last time it is asked, the load has its ids, and is not shown.
            2 => {
                assert_eq!(tries(&f.region, increment(2)), MutateStatus::WouldBlock);
                assert_ne!(
                    tries(&f.region, RowOp::put(&[Cell::put("p", "f", "q", 5, one)])),
                    MutateStatus::WouldBlock
                );
            }
            _ => {}
        }
        Ok(())
    };
    order_fenced(&f.region, &[&file], false, &fence).unwrap();
    f.mutate(&Batch::new().row_op(increment(3)));
    assert_eq!(f.get(&Spec::get("n"))[0].value, 101_i64.to_be_bytes());
    assert_eq!(asked.into_inner(), 3);
}

const NON_BLOCKING_ADMITTED: u8 = 1 | 2;

fn tries(region: &Region, op: RowOp) -> MutateStatus {
    let batch = Batch::new().row_op(op);
    let mut ops = batch.ops();
    ops[1] |= NON_BLOCKING_ADMITTED;
    region.mutate(&ops, &batch.cells, 78, &mut Vec::new()).unwrap()
}

#[test]
fn no_caller_waits_for_files_that_go_back() {
    // The fence is shut before the commit, or the commit itself fails.
    for by_fence in [true, false] {
        let env = FakeEnv::new(1);
        let source = Ordered { family: "f", number: 1 }.path();
        let region: Arc<OnceLock<Arc<Region>>> = Arc::default();
        let outcome: Arc<Mutex<Option<MutateStatus>>> = Arc::default();
        let (watched_region, seen, home) = (Arc::clone(&region), Arc::clone(&outcome), source.clone());
        let watch = move |_: &str, path: &Path| {
            let is_commit = path.to_string_lossy().contains("/committed.");
            if is_commit && !by_fence {
                return Err(std::io::Error::other("no commit"));
            }
            if let Some(region) = watched_region.get().filter(|_| path == home) {
                let one = Cell::put("n", "f", "q", i64::MAX, 1_i64.to_be_bytes());
                *seen.lock() = Some(tries(region, RowOp::increment(1, &[one])));
            }
            Ok(())
        };
        let (engine, opened) = serve(Arc::new(Mortal::watched(&env, Box::new(watch))), 1).unwrap();
        region.set(Arc::clone(&opened)).ok().unwrap();
        let file = written(&env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
        let asked = AtomicU64::new(0);
        let fence = || match asked.fetch_add(1, Ordering::Relaxed) {
            2 if by_fence => Err(Error::new(ErrorKind::NotServing, "lost")),
            _ => Ok(()),
        };
        order_fenced(&opened, &[&file], false, &fence).unwrap_err();
        assert!(env.exists(&source).unwrap());
        let seen = outcome.lock().take();
        assert!(seen.is_some_and(|status| status != MutateStatus::WouldBlock), "{by_fence}: {seen:?}");
        drop(engine);
    }
}

#[test]
fn an_operation_waits_for_a_load_no_longer_than_for_a_row() {
    let config = "{\"rowLockWaitMillis\":1}";
    let f = start_in(Arc::new(FakeEnv::new(1)), config, &[("f", "")], 1);
    let file = written(&*f.env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    let asked = AtomicU64::new(0);
    let fence = || {
        if asked.fetch_add(1, Ordering::Relaxed) == 2 {
            let one = Cell::put("n", "f", "q", i64::MAX, 1_i64.to_be_bytes());
            let answers = f.mutate(&Batch::new().row_op(RowOp::increment(1, &[one])));
            let is_busy =
                |answer: &Answer| matches!(answer, Answer::Failed(kind, _) if *kind == ErrorKind::Busy as u8);
            assert!(answers.iter().all(is_busy) && answers.len() == 1, "{answers:?}");
        }
        Ok(())
    };
    order_fenced(&f.region, &[&file], false, &fence).unwrap();
    assert_eq!(asked.into_inner(), 3);
}

#[test]
fn a_flush_does_not_wait_for_a_look_at_the_archive() {
    let env = FakeEnv::new(1);
    let region: Arc<OnceLock<Arc<Region>>> = Arc::default();
    let flushed: Arc<AtomicU64> = Arc::default();
    let (watched_region, seen) = (Arc::clone(&region), Arc::clone(&flushed));
    let watch = move |what: &str, path: &Path| {
        let is_archive = what == "list" && path.starts_with("/h/archive");
        if let Some(region) = watched_region.get().filter(|_| is_archive).cloned() {
            let (done, ended) = std::sync::mpsc::channel();
            std::thread::spawn(move || done.send(region.flush().is_ok()));
            if ended.recv_timeout(Duration::from_secs(20)) == Ok(true) {
                seen.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    let (engine, opened) = serve(Arc::new(Mortal::watched(&env, Box::new(watch))), 1).unwrap();
    region.set(Arc::clone(&opened)).ok().unwrap();
    put_both(&engine, &opened, "b", "before");
    let file = written(&env, "f", 1, &[Cell::put("a", "f", "q", 1, "v")]);
    order(&opened, &[&file], false).unwrap();
    assert_eq!(flushed.load(Ordering::Relaxed), 1);
}
