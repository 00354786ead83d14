use grampus_env::FakeEnv;

use super::*;

const LIMIT: u64 = 1 << 30;
const A: Owner = Owner(1);
const B: Owner = Owner(2);

fn nonces(bytes_max: u64) -> (Nonces, Arc<Pressure>, Arc<EventQueue>) {
    let events = Arc::new(EventQueue::default());
    let pressure = Arc::new(Pressure::new(LIMIT, LIMIT, Arc::new(FakeEnv::new(1)), Arc::clone(&events)));
    (Nonces::new(1000, bytes_max, Arc::clone(&pressure), Arc::clone(&events)), pressure, events)
}

#[test]
fn a_duplicate_is_answered_a_failure_is_executed_again() {
    let (nonces, ..) = nonces(LIMIT);
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap_err().kind, ErrorKind::WouldBlock);
    drop(nonces.running((1, 2)));
    assert_eq!(nonces.begin((1, 2), 0, None).unwrap(), NonceOutcome::Execute);
    nonces.note(A, (1, 2), 7, 0);
    assert_eq!(nonces.begin((1, 2), 999, None).unwrap(), NonceOutcome::Duplicate(7));
    nonces.expire(1000);
    assert!(nonces.known.lock().states.is_empty());
    assert_eq!(nonces.begin((1, 2), 1000, None).unwrap(), NonceOutcome::Execute);
    nonces.expire(9000);
    assert_eq!(nonces.begin((1, 2), 9000, None).unwrap_err().kind, ErrorKind::WouldBlock, "it still runs");
}

#[test]
fn their_memory_is_counted_and_given_back() {
    let (nonces, pressure, _) = nonces(LIMIT);
    (0..100_000).for_each(|nonce| nonces.note(A, (1, nonce), 1, 0));
    let used = pressure.used();
    assert_eq!(used, nonces.stats().bytes);
    assert!(used >= 100_000 * 40, "{used}");
    assert_eq!(pressure.unflushed(), 0, "no flush can free it");
    nonces.expire(1000);
    assert!(pressure.used() < used / 100, "{}", pressure.used());
}

#[test]
fn above_their_part_the_oldest_are_forgotten_and_it_is_said_once() {
    let bytes_max = 10_000 * BYTES_MAX as u64;
    let (nonces, pressure, events) = nonces(bytes_max);
    for nonce in 0..100_000 {
        nonces.note(A, (1, nonce), nonce, 5);
        assert!(pressure.used() <= bytes_max, "{}", pressure.used());
    }
    assert_eq!(nonces.stats().count, 10_000);
    assert_eq!(nonces.stats().forgotten_early, 90_000);
    assert_eq!(nonces.begin((1, 99_999), 5, None).unwrap(), NonceOutcome::Duplicate(99_999));
    assert_eq!(nonces.begin((1, 90_000), 5, None).unwrap(), NonceOutcome::Duplicate(90_000));
    assert_eq!(nonces.begin((1, 89_999), 5, None).unwrap(), NonceOutcome::Execute);
    assert_eq!(events.poll(Duration::ZERO).map(|events| events.len()), Some(1));
    nonces.expire(1005);
    nonces.note(A, (1, 1), 1, 1005);
    assert_eq!(nonces.stats().forgotten_early, 90_000, "what is due is not early");
}

#[test]
fn however_little_memory_there_is_some_are_remembered() {
    let (nonces, ..) = nonces(0);
    (0..2 * COUNT_MIN as u64).for_each(|nonce| nonces.note(A, (1, nonce), nonce, 5));
    assert_eq!(nonces.stats().count, COUNT_MIN as u64);
}

#[test]
fn what_two_owners_have_is_known_until_both_are_forgotten() {
    let (nonces, ..) = nonces(LIMIT);
    nonces.note(A, (1, 2), 7, 0);
    nonces.note(B, (1, 2), 7, 3);
    nonces.note(B, (1, 3), 8, 4);
    nonces.forget(A);
    assert_eq!(nonces.begin((1, 2), 5, None).unwrap(), NonceOutcome::Duplicate(7));
    assert!(nonces.of(A, 5).is_empty());
    let left: Vec<_> =
        nonces.of(B, 5).iter().map(|left| (left.key, left.sequence, left.age_millis)).collect();
    assert_eq!(left, [((1, 2), 7, 5), ((1, 3), 8, 1)]);
    nonces.forget(B);
    assert_eq!(nonces.stats().count, 0);
    assert!(nonces.known.lock().done.is_empty());
}

#[test]
fn one_that_was_executed_again_is_not_forgotten_with_its_first() {
    let (nonces, ..) = nonces(LIMIT);
    nonces.note(A, (1, 2), 7, 0);
    assert_eq!(nonces.begin((1, 2), 1000, None).unwrap(), NonceOutcome::Execute);
    nonces.note(B, (1, 2), 9, 1000);
    nonces.forget(A);
    assert_eq!(nonces.begin((1, 2), 1001, None).unwrap(), NonceOutcome::Duplicate(9));
    assert_eq!(nonces.of(B, 1001).len(), 1);
}

#[test]
fn a_file_has_the_newest() {
    let (nonces, ..) = nonces(LIMIT);
    (0..COUNT_MAX as u64 + 10).for_each(|nonce| nonces.note(A, (1, nonce), nonce, 5));
    let left = nonces.of(A, 5);
    assert_eq!((left.len(), left[0].sequence), (COUNT_MAX, 10));
}
