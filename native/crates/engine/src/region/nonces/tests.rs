use grampus_env::FakeEnv;

use super::known::{BYTES_MAX, COUNT_MIN};
use super::queues::QUEUE_BYTES_MAX;
use super::*;

const LIMIT: u64 = 1 << 30;
const TTL_MILLIS: i64 = 1000;
const A: Owner = Owner(1);
const B: Owner = Owner(2);

fn nonces(bytes_max: u64) -> (Nonces, Arc<Pressure>, Arc<EventQueue>) {
    let events = Arc::new(EventQueue::default());
    let pressure = Arc::new(Pressure::new(LIMIT, LIMIT, Arc::new(FakeEnv::new(1)), Arc::clone(&events)));
    (Nonces::new(TTL_MILLIS, bytes_max, Arc::clone(&pressure), Arc::clone(&events)), pressure, events)
}

/// Memory for a number of nonces of a number of owners.
fn room(count: usize, owners: usize) -> u64 {
    (count * BYTES_MAX + owners * QUEUE_BYTES_MAX) as u64
}

fn done(nonce: u64, sequence: u64, at_millis: i64) -> Done {
    Done { key: (1, nonce), sequence, at_millis }
}

/// Notes an operation that has just been executed.
fn note(nonces: &Nonces, owner: Owner, nonce: u64, sequence: u64, now_millis: i64) {
    nonces.note(owner, done(nonce, sequence, now_millis), now_millis);
}

fn outcome(nonces: &Nonces, nonce: u64, now_millis: i64) -> NonceOutcome {
    let outcome = nonces.begin((1, nonce), now_millis, None).unwrap();
    if outcome == NonceOutcome::Execute {
        drop(nonces.running((1, nonce)));
    }
    outcome
}

#[test]
fn a_duplicate_is_answered_a_failure_is_executed_again() {
    let (nonces, ..) = nonces(LIMIT);
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap_err().kind, ErrorKind::WouldBlock);
    drop(nonces.running((1, 2)));
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
    note(&nonces, A, 2, 7, 0);
    assert_eq!(nonces.begin((1, 2), 999, None).unwrap(), NonceOutcome::Duplicate(7));
    nonces.expire(1000);
    assert_eq!(nonces.stats().count, 0);
    assert_eq!(nonces.begin((1, 2), 1000, None).unwrap(), NonceOutcome::Execute);
    nonces.expire(9000);
    assert_eq!(nonces.begin((1, 2), 9000, None).unwrap_err().kind, ErrorKind::WouldBlock, "it still runs");
}

#[test]
fn their_memory_is_counted_and_given_back() {
    let (nonces, pressure, _) = nonces(LIMIT);
    (0..100_000).for_each(|nonce| note(&nonces, A, nonce, 1, 0));
    let used = pressure.used();
    assert_eq!(used, nonces.stats().bytes);
    assert!(used >= 100_000 * 40, "{used}");
    assert_eq!(pressure.unflushed(), 0, "no flush can free it");
    nonces.expire(1000);
    assert!(pressure.used() < used / 100, "{}", pressure.used());
}

/// A map says that it has less room where it has marks of removed entries; it has as much memory.
#[test]
fn the_account_does_not_shrink_while_the_memory_is_there() {
    let (nonces, pressure, _) = nonces(LIMIT);
    let of_map = || pressure.used() - nonces.known.lock().queues.bytes() as u64;
    (0..50_000).for_each(|nonce| note(&nonces, A, nonce, 1, nonce as i64));
    let full = of_map();
    for nonce in 0..30_000 {
        nonces.expire(nonce + TTL_MILLIS);
        assert_eq!(of_map(), full, "after {nonce}");
    }
}

#[test]
fn above_their_part_the_oldest_are_forgotten_and_it_is_said_once() {
    let bytes_max = room(10_000, 1);
    let (nonces, pressure, events) = nonces(bytes_max);
    for nonce in 0..100_000 {
        note(&nonces, A, nonce, nonce, 5);
        assert!(pressure.used() <= bytes_max, "{}", pressure.used());
    }
    assert_eq!(nonces.stats().count, 10_000);
    assert_eq!(nonces.stats().forgotten_early, 90_000);
    assert_eq!(nonces.begin((1, 99_999), 5, None).unwrap(), NonceOutcome::Duplicate(99_999));
    assert_eq!(nonces.begin((1, 90_000), 5, None).unwrap(), NonceOutcome::Duplicate(90_000));
    assert_eq!(nonces.begin((1, 89_999), 5, None).unwrap(), NonceOutcome::Execute);
    assert_eq!(events.poll(Duration::ZERO).map(|events| events.len()), Some(1));
    nonces.expire(1005);
    note(&nonces, A, 1, 1, 1005);
    assert_eq!(nonces.stats().forgotten_early, 90_000, "what is due is not early");
}

#[test]
fn however_little_memory_there_is_some_are_remembered() {
    let (nonces, ..) = nonces(0);
    (0..2 * COUNT_MIN as u64).for_each(|nonce| note(&nonces, A, nonce, nonce, 5));
    assert_eq!(nonces.stats().count, COUNT_MIN as u64);
}

#[test]
fn many_owners_stay_within_their_part() {
    let bytes_max = room(5_000, 500);
    let (nonces, pressure, _) = nonces(bytes_max);
    for nonce in 0..50_000u64 {
        note(&nonces, Owner((nonce % 3_000) as u32), nonce, nonce, (nonce / 1000) as i64);
        assert!(pressure.used() <= bytes_max, "{} of {bytes_max}", pressure.used());
    }
    (0..3_000).for_each(|owner| nonces.forget(Owner(owner)));
    assert_eq!((nonces.stats().count, nonces.known.lock().queues.bytes()), (0, 0));
}

/// A region comes with old nonces to a server whose memory is full of young ones.
#[test]
fn what_is_taken_in_pushes_out_nothing_younger() {
    let (nonces, _, events) = nonces(room(10_000, 2));
    (0..10_000).for_each(|nonce| note(&nonces, A, nonce, nonce, 1900));
    let old: Vec<Done> = (20_000..30_000).map(|nonce| done(nonce, nonce, 1800)).collect();
    nonces.note_all(B, &old, 2000);
    (0..10_000).for_each(|nonce| assert_eq!(outcome(&nonces, nonce, 2000), NonceOutcome::Duplicate(nonce)));
    assert_eq!(outcome(&nonces, 20_000, 2000), NonceOutcome::Execute, "the oldest went first");
    let said = events.poll(Duration::ZERO).unwrap();
    assert!(said.len() == 1 && said[0].text.contains("the oldest one is 0 s old"), "{said:?}");
    // Younger ones stay and push out what is older.
    let young: Vec<Done> = (30_000..40_000).map(|nonce| done(nonce, nonce, 1950)).collect();
    nonces.note_all(B, &young, 2000);
    (30_000..40_000)
        .for_each(|nonce| assert_eq!(outcome(&nonces, nonce, 2000), NonceOutcome::Duplicate(nonce)));
    assert_eq!(outcome(&nonces, 0, 2000), NonceOutcome::Execute);
}

#[test]
fn what_is_taken_in_goes_when_its_time_is_over() {
    let (nonces, pressure, _) = nonces(LIMIT);
    (0..10).for_each(|nonce| note(&nonces, A, nonce, nonce, 1900));
    let old: Vec<Done> = (20_000..30_000).map(|nonce| done(nonce, nonce, 1100)).collect();
    nonces.note_all(B, &old, 2000);
    let used = pressure.used();
    nonces.expire(2100);
    assert_eq!(nonces.stats().count, 10, "not behind those of another region");
    assert!(pressure.used() < used / 10, "{} of {used}", pressure.used());
}

#[test]
fn what_is_too_old_is_not_taken_in() {
    let (nonces, ..) = nonces(LIMIT);
    nonces.note_all(A, &[done(1, 1, 1000), done(2, 2, 1001)], 2000);
    assert_eq!(nonces.stats().count, 1);
}

#[test]
fn what_two_owners_have_is_known_until_both_are_forgotten() {
    let (nonces, ..) = nonces(LIMIT);
    nonces.note(A, done(2, 7, 0), 3);
    nonces.note(B, done(2, 7, 1), 3);
    note(&nonces, B, 3, 8, 4);
    nonces.forget(A);
    assert_eq!(nonces.begin((1, 2), 5, None).unwrap(), NonceOutcome::Duplicate(7));
    assert!(nonces.of(A, 5).is_empty());
    assert_eq!(nonces.of(B, 5), [done(2, 7, 1), done(3, 8, 4)]);
    nonces.forget(B);
    assert_eq!(nonces.stats().count, 0);
    assert_eq!(nonces.known.lock().queues.count(), 0);
}

#[test]
fn one_that_was_executed_again_is_not_forgotten_with_its_first() {
    let (nonces, ..) = nonces(LIMIT);
    note(&nonces, A, 2, 7, 0);
    assert_eq!(nonces.begin((1, 2), 1000, None).unwrap(), NonceOutcome::Execute);
    note(&nonces, B, 2, 9, 1000);
    nonces.forget(A);
    assert_eq!(nonces.begin((1, 2), 1001, None).unwrap(), NonceOutcome::Duplicate(9));
    assert_eq!(nonces.of(B, 1001).len(), 1);
}

/// After a crash between a close's file and its settled mark the replay has what the file has.
#[test]
fn what_came_twice_is_left_once() {
    let (nonces, ..) = nonces(LIMIT);
    nonces.note_all(A, &[done(1, 7, 10), done(2, 8, 20)], 30);
    nonces.note_all(A, &[done(1, 7, 11), done(2, 8, 21), done(1, 9, 22)], 30);
    assert_eq!(nonces.of(A, 30), [done(2, 8, 20), done(1, 9, 22)]);
    nonces.note(A, done(1, 7, 10), 30);
    assert_eq!(outcome(&nonces, 1, 30), NonceOutcome::Duplicate(9), "the last execution counts");
    nonces.forget(A);
    assert_eq!((nonces.stats().count, nonces.known.lock().queues.count()), (0, 0));
}

#[test]
fn a_file_has_the_youngest_and_no_more_are_copied() {
    let (nonces, ..) = nonces(LIMIT);
    (0..COUNT_MAX as u64 + 10).for_each(|nonce| note(&nonces, A, nonce, nonce, 5));
    let left = nonces.of(A, 5);
    assert_eq!((left.len(), left[0].sequence), (COUNT_MAX, 10));
    assert!(left.capacity() <= COUNT_MAX, "{}", left.capacity());
}

#[test]
fn an_opening_that_fails_or_panics_leaves_nothing() {
    let (nonces, ..) = nonces(LIMIT);
    let opening = nonces.opening();
    note(&nonces, opening.owner, 1, 1, 0);
    opening.succeed();
    let opening = nonces.opening();
    note(&nonces, opening.owner, 2, 2, 0);
    drop(opening);
    assert_eq!(nonces.stats().count, 1);
    assert_eq!(outcome(&nonces, 1, 0), NonceOutcome::Duplicate(1));
}
