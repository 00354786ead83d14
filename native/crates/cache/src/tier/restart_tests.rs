//! What a tier holds that was closed and opened again, as a server does that is stopped and started.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::events::EventQueue;
use grampus_colfile::{Access, Page, PageKind};
use proptest::prelude::*;

use super::Tier;
use crate::key::Key;
use crate::{BlockCache, TierConfig};

fn config(dir: &Path, paths: &[&str]) -> TierConfig {
    TierConfig {
        paths: paths.iter().map(|name| dir.join(name)).collect(),
        bytes: 2 << 20,
        reserve: false,
        index: Some(dir.join("index")),
    }
}

/// A page of a file that has its name from a flush or compaction.
fn key(file: u128, offset: u64) -> Key {
    (BlockCache::new(0).identify(&format!("{:032x}", (1 << 127) + file)), offset)
}

fn body(key: Key) -> Vec<u8> {
    let len = key.1 as usize * 97 % 20_000 + 1;
    (0..len).map(|n| (n as u64 ^ key.1) as u8).collect()
}

fn offer(tier: &Tier, key: Key) {
    tier.offer(key, Arc::new(Page::kept(body(key), 0, PageKind::Column)));
}

fn await_written(tier: &Tier) {
    tier.logs.iter().for_each(|log| log.await_written());
}

fn has(tier: &Tier, key: Key) -> bool {
    let page = tier.get(key, PageKind::Column, Access::CACHED);
    page.is_some_and(|page| {
        assert_eq!(page.body(), body(key), "another page");
        true
    })
}

fn open(config: &TierConfig) -> Tier {
    Tier::open(config, &Arc::default()).unwrap()
}

#[test]
fn pages_of_files_that_keep_their_names_are_here_again() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path(), &["a", "b"]);
    let tier = open(&config);
    let passing: Key = (BlockCache::new(0).identify("a reference"), 1);
    (0..40).for_each(|n| offer(&tier, key(n % 3, n as u64)));
    offer(&tier, passing);
    await_written(&tier);
    assert!(has(&tier, passing));
    let before = tier.stats();
    assert!(tier.close());
    drop(tier);

    let events = Arc::new(EventQueue::default());
    let tier = Tier::open(&config, &events).unwrap();
    let said = events.poll(Duration::ZERO).unwrap();
    assert_eq!(said[0].text, "the second tier of the block cache starts with 40 pages of the process before");
    assert!((0..40).all(|n| has(&tier, key(n % 3, n as u64))));
    assert!(!has(&tier, passing), "its identity may be another file's now");
    assert_eq!(tier.stats().page_count, before.page_count - 1);
    assert_eq!(tier.evict_file(key(0, 0).0), 14);
}

#[test]
fn a_process_that_was_killed_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path(), &["a"]);
    let tier = open(&config);
    offer(&tier, key(0, 1));
    await_written(&tier);
    assert!(tier.close());
    drop(tier);
    let second = open(&config);
    assert!(has(&second, key(0, 1)));
    assert!(!dir.path().join("index").exists(), "no other process can use it");
    // The process ends here, as far as the files can tell.
    *second.keeps.lock() = None;
    drop(second);
    assert!(!has(&open(&config), key(0, 1)));
}

#[test]
fn another_layout_starts_empty() {
    let dir = tempfile::tempdir().unwrap();
    let first = config(dir.path(), &["a", "b"]);
    let others = [
        config(dir.path(), &["a"]),
        config(dir.path(), &["b", "a"]),
        TierConfig { bytes: 4 << 20, ..first.clone() },
    ];
    for other in others {
        let tier = open(&first);
        offer(&tier, key(0, 1));
        await_written(&tier);
        drop(tier);
        assert!(!has(&open(&other), key(0, 1)), "{other:?}");
        assert!(!has(&open(&first), key(0, 1)), "the other one has written there");
    }
}

#[test]
fn an_index_that_cannot_be_written_costs_the_pages_and_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let config = TierConfig { index: Some(dir.path().join("no/such/index")), ..config(dir.path(), &["a"]) };
    let events = Arc::new(EventQueue::default());
    let tier = Tier::open(&config, &events).unwrap();
    assert!(tier.close());
    let said = events.poll(Duration::ZERO).unwrap();
    assert!(said.iter().any(|e| e.text.contains("no/such/index cannot be written")), "{said:?}");
}

#[test]
fn files_that_were_written_by_somebody_else_meanwhile_are_only_misses() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path(), &["a"]);
    let tier = open(&config);
    (0..10).for_each(|n| offer(&tier, key(0, n)));
    await_written(&tier);
    drop(tier);
    let mut bytes = fs::read(dir.path().join("a")).unwrap();
    bytes[4096..].fill(7);
    fs::write(dir.path().join("a"), bytes).unwrap();
    let tier = open(&config);
    assert!((0..10).all(|n| !has(&tier, key(0, n))));
    assert_eq!(tier.stats().damaged_count, 10);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever was here when the tier was closed is here when it is opened, and nothing is damaged, however full it is.
    #[test]
    fn nothing_is_lost_or_mixed_up_over_restarts(runs in prop::collection::vec(prop::collection::vec(0..400_u64, 0..200), 1..6)) {
        let dir = tempfile::tempdir().unwrap();
        let config = config(dir.path(), &["a", "b"]);
        let mut here: Vec<u64> = Vec::new();
        for offers in runs {
            let tier = open(&config);
            for n in &here {
                prop_assert!(has(&tier, key(0, *n)), "page {} was here before", n);
            }
            offers.iter().for_each(|n| offer(&tier, key(0, *n)));
            await_written(&tier);
            here = (0..400).filter(|n| has(&tier, key(0, *n))).collect();
            prop_assert_eq!(tier.stats().damaged_count, 0);
            prop_assert!(tier.close());
        }
    }
}
