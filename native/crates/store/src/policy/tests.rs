use super::*;

const MB: u64 = 1 << 20;

fn files(megabytes: &[u64]) -> Vec<FileFact> {
    megabytes
        .iter()
        .map(|mb| FileFact { bytes: mb * MB, created_millis: 1000, ..FileFact::default() })
        .collect()
}

type Chosen = Option<(std::ops::Range<usize>, CompactionKind)>;

fn chosen(policy: &ExploringPolicy, files: &[FileFact], now_millis: i64) -> Chosen {
    match policy.decide(files, now_millis) {
        Decision::Compact(selection) => Some((selection.inputs, selection.kind)),
        Decision::Nothing(_) => None,
    }
}

#[test]
fn sizes_decide() {
    use CompactionKind::{Major, Minor};
    let policy = ExploringPolicy { bytes_min: 10 * MB, ..ExploringPolicy::default() };
    let cases: [(&[u64], Chosen); 8] = [
        (&[], None),
        (&[1, 1], None),
        (&[1, 1, 1], Some((0..3, Major))),
        (&[500, 20, 20, 20], Some((1..4, Minor))),
        (&[500, 1, 1, 1], Some((1..4, Minor))),
        (&[500, 100, 20], None),
        (&[100, 100, 100, 100], Some((0..4, Major))),
        (&[30; 12], Some((0..10, Minor))),
    ];
    for (sizes, expected) in cases {
        assert_eq!(chosen(&policy, &files(sizes), 2000), expected, "{sizes:?}");
    }
}

#[test]
fn busy_files_and_those_before_them_are_left_alone() {
    let policy = ExploringPolicy::default();
    let mut list = files(&[1, 1, 1, 1, 1, 1]);
    list[2].busy = true;
    assert_eq!(chosen(&policy, &list, 2000), Some((3..6, CompactionKind::Minor)));
    list[4].busy = true;
    assert_eq!(chosen(&policy, &list, 2000), None);
}

#[test]
fn what_lies_beside_an_unreadable_file_is_merged_without_it() {
    use CompactionKind::Minor;
    let policy = ExploringPolicy::default();
    let mut list = files(&[1, 1, 1, 1, 1, 1, 1, 1]);
    list[4].unreadable = true;
    assert_eq!(chosen(&policy, &list, 2000), Some((0..4, Minor)), "the longer run");
    list[7].unreadable = true;
    list[1].busy = true;
    assert_eq!(chosen(&policy, &list, 2000), None, "two and two are left");
    list[1].busy = false;
    let Decision::Compact(major) = policy.decide_major(&list) else { panic!("four can be read") };
    assert_eq!((major.inputs, major.kind), (0..4, Minor));
    list.iter_mut().for_each(|file| file.unreadable = true);
    assert_eq!(chosen(&policy, &list, 2000), None);
    assert!(matches!(policy.decide_major(&list), Decision::Nothing(_)));
}

#[test]
fn references_go_first() {
    let mut list = files(&[5000, 1]);
    list[0].is_reference = true;
    assert_eq!(chosen(&ExploringPolicy::default(), &list, 2000), Some((0..2, CompactionKind::Major)));
}

#[test]
fn an_old_file_makes_a_major_compaction_unless_it_is_one() {
    let policy = ExploringPolicy::default();
    let late = 1000 + policy.major_period_millis * 2;
    let mut list = files(&[5000]);
    assert_eq!(chosen(&policy, &list, late), Some((0..1, CompactionKind::Major)));
    list[0].major = true;
    assert_eq!(chosen(&policy, &list, late), None);
    assert_eq!(chosen(&ExploringPolicy { major_period_millis: 0, ..policy }, &files(&[5000]), late), None);
}

#[test]
fn too_many_files_are_merged_whatever_the_ratio() {
    let sizes: Vec<u64> = (0..16).map(|n| 3u64.pow(n)).rev().collect();
    let policy = ExploringPolicy { bytes_min: MB, ..ExploringPolicy::default() };
    assert_eq!(chosen(&policy, &files(&sizes), 2000), Some((13..16, CompactionKind::Minor)));
    assert_eq!(chosen(&policy, &files(&sizes[1..]), 2000), None);
}

#[test]
fn the_jitter_is_the_same_for_the_same_files_and_within_its_share() {
    let policy = ExploringPolicy::default();
    let periods: Vec<i64> = (1..200).map(|mb| policy.major_period_of(&files(&[mb]))).collect();
    assert_eq!(periods, (1..200).map(|mb| policy.major_period_of(&files(&[mb]))).collect::<Vec<_>>());
    let (period, half) = (policy.major_period_millis, policy.major_period_millis / 2);
    assert!(periods.iter().all(|p| (period - half..=period + half).contains(p)));
    assert!(periods.iter().any(|p| *p < period - half / 2) && periods.iter().any(|p| *p > period + half / 2));
    let steady = ExploringPolicy { major_jitter: 0.0, ..policy };
    assert_eq!(steady.major_period_of(&files(&[7])), period);
}

#[test]
fn a_single_major_file_is_rewritten_once_its_cells_have_expired() {
    let policy = ExploringPolicy { ttl_millis: Some(1000), ..ExploringPolicy::default() };
    let late = 1000 + policy.major_period_millis * 2;
    let mut list = files(&[5000]);
    list[0].major = true;
    list[0].earliest_put_millis = Some(late - 999);
    assert_eq!(chosen(&policy, &list, late), None);
    list[0].earliest_put_millis = Some(late - 1001);
    assert_eq!(chosen(&policy, &list, late), Some((0..1, CompactionKind::Major)));
}

#[test]
fn no_more_than_the_largest_size_is_merged_at_once_but_when_there_are_too_many_files() {
    let policy = ExploringPolicy { bytes_max: 40 * MB, ..ExploringPolicy::default() };
    assert_eq!(chosen(&policy, &files(&[10, 10, 10, 10, 10]), 2000), Some((0..4, CompactionKind::Minor)));
    assert_eq!(chosen(&policy, &files(&[20, 20, 20]), 2000), None);
    assert_eq!(chosen(&policy, &files(&[20; 16]), 2000), Some((0..3, CompactionKind::Minor)));
}

/// Files of random sizes arrive one by one, whatever the settings: a read never has to consult as many as block flushes.
#[test]
fn the_number_of_files_is_bounded_whatever_arrives() {
    let mut state = 7u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..200 {
        let files_min = 2 + random(4) as usize;
        let policy = ExploringPolicy {
            files_min,
            files_max: files_min + random(10) as usize,
            ratio: 0.1 + random(30) as f64 / 10.0,
            bytes_min: random(200) * MB,
            bytes_max: random(2) * 50 * MB + MB,
            files_blocking: files_min + 1 + random(20) as usize,
            ..ExploringPolicy::default()
        };
        let mut store: Vec<FileFact> = Vec::new();
        for _ in 0..300 {
            store.extend(files(&[1 + (1 << random(12))]));
            while let Decision::Compact(selection) = policy.decide(&store, 2000) {
                let merged = sum(store.get(selection.inputs.clone()).unwrap());
                assert!(selection.inputs.len() > 1, "{policy:?} rewrites a single file");
                store.splice(selection.inputs, [FileFact { bytes: merged, ..files(&[0]).remove(0) }]);
            }
            assert!(store.len() < policy.files_blocking, "{} files remain under {policy:?}", store.len());
        }
    }
}

#[test]
fn a_decision_says_why() {
    let Decision::Compact(selection) = ExploringPolicy::default().decide(&files(&[1, 1, 1]), 2000) else {
        panic!("three small files are worth merging");
    };
    assert_eq!(selection.reason, "3 of 3 files, 3145728 bytes, within ratio 1.2");
}
