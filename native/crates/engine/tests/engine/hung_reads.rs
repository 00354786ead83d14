//! Data nodes and name nodes that do not answer: what a region server looks after by itself does not wait for them.

use std::sync::Arc;
use std::thread;

use grampus_env::{Call, FakeEnv};
use grampus_testkit::wire::Spec;

use crate::common::{Fixture, on_each_kind, row, start_in, until};

const ROWS: u32 = 100;
const BEYOND_A_LOOK_MILLIS: i64 = 20_000;

fn fixture(env: &FakeEnv) -> Fixture {
    let f = start_in(Arc::new(env.clone()), "{}", &[("f", "\"maxVersions\":1")], 1);
    f.fill(ROWS);
    f.region.flush().unwrap();
    f
}

fn await_ticks(f: &Fixture) {
    let seen = f.metric("maintenance.tick_count");
    until("a few ticks", || f.metric("maintenance.tick_count") > seen + 3);
}

#[test]
fn ticks_go_on_while_a_filter_that_is_wanted_cannot_be_read() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env);
        thread::scope(|scope| {
            let held = env.hold(Call::Read);
            let get = scope.spawn(|| f.get(&Spec::get(&row(7))).len());
            until("a filter to be wanted", || f.metric("block_cache.wanted_count") == 1);
            await_ticks(&f);
            assert_eq!(f.metric("block_cache.wanted_count"), 1, "it is not loaded");
            drop(held);
            assert_eq!(get.join().unwrap(), 1);
        });
        f.await_filters();
        f.region.close(false).unwrap();
        f.engine.close().unwrap();
    });
}

#[test]
fn ticks_go_on_while_no_directory_of_a_closed_store_can_be_listed() {
    on_each_kind(|kind| {
        let env = FakeEnv::of(kind, 1);
        let f = fixture(&env);
        f.region.close(false).unwrap();
        let held = env.hold(Call::List);
        env.advance_millis(BEYOND_A_LOOK_MILLIS);
        await_ticks(&f);
        drop(held);
        f.engine.close().unwrap();
    });
}
