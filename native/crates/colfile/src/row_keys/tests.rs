//! Both encodings give back the keys, and find their places.

use std::cmp::Ordering;

use grampus_cells::{RowOrder, Strings};
use proptest::prelude::*;

use super::heads::KeptHeads;
use super::page::EncodedKeys;
use super::prefixes::PrefixWriter;
use super::{KeyBlock, KeyScratch, RESTART_ROWS, RowKeyPage, SharedVersions, fields};
use crate::Compression;
use crate::encoding::ints::Packing;
use crate::encoding::tag::Encoding;
use crate::page_kind::PageKind;

fn by_prefix(keys: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = PrefixWriter::default();
    keys.iter().for_each(|key| writer.push(key));
    EncodedKeys { first_row: 7, rows: writer.rows(), by_field: false, bytes: writer.finish() }
        .page(&SharedVersions::default())
}

fn by_field(keys: &[Vec<u8>], compression: Compression) -> Option<Vec<u8>> {
    let delimiters = fields::delimiters(keys.iter().map(Vec::as_slice))?;
    let mut bytes = Vec::new();
    fields::write(keys.iter().map(Vec::as_slice), &delimiters, compression, &mut bytes);
    let keys = EncodedKeys { first_row: 7, rows: keys.len() as u32, by_field: true, bytes };
    Some(keys.page(&SharedVersions::default()))
}

/// Looks for targets in a page and compares with the keys.
fn check(body: &[u8], keys: &[Vec<u8>], targets: &[Vec<u8>]) {
    let page = RowKeyPage::parse(body, PageKind::Rows).unwrap();
    let kept = KeptHeads::default();
    let mut block = KeyBlock::default();
    for (number, rows) in keys.chunks(RESTART_ROWS).enumerate() {
        page.decode_block(body, number, &mut block).unwrap();
        let decoded: Vec<&[u8]> = (0..block.len()).map(|index| block.get(index)).collect();
        assert_eq!(decoded, rows);
    }
    check_many(&page, body, keys);
    for target in targets.iter().chain(keys) {
        let found = page.find_block(body, &kept, target, RowOrder::Bytes).unwrap();
        let starts = keys.iter().step_by(RESTART_ROWS).filter(|start| *start <= target).count();
        assert_eq!(found, starts.saturating_sub(1), "{target:?}");
        let row = page.find_in_block(body, found, &mut block, |key| key >= target.as_slice()).unwrap();
        assert_eq!(row, keys.iter().filter(|key| *key < target).count(), "{target:?}");
        let reached = keys.get(row).filter(|_| row / RESTART_ROWS == found);
        assert_eq!((0..block.len()).map(|index| block.get(index)).next(), reached.map(Vec::as_slice));
    }
}

/// Reads many keys at a time, in rooms of some sizes.
fn check_many(page: &RowKeyPage, body: &[u8], keys: &[Vec<u8>]) {
    let (mut parts, mut integers) = (Vec::new(), Default::default());
    for rows in [0..keys.len(), keys.len() / 3..keys.len() - keys.len() / 4, keys.len() - 1..keys.len()] {
        let bytes: usize = keys[rows.clone()].iter().map(Vec::len).sum();
        for room in [bytes, bytes.saturating_sub(1), bytes / 2, 0] {
            let mut found = Strings::default();
            let scratch = KeyScratch { parts: &mut parts, integers: &mut integers };
            page.append_keys(body, rows.clone(), room, scratch, &mut found).unwrap();
            let mut left = room;
            let fits = |key: &&Vec<u8>| left.checked_sub(key.len()).map(|rest| left = rest).is_some();
            assert!(found.iter().eq(keys[rows.clone()].iter().take_while(fits)), "{rows:?} in {room} bytes");
        }
    }
}

fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let key = prop_oneof![
        "[a-c]{1,2}\\|[0-9]{1,3}\\|-[a-z0-9]{0,3}".prop_map(String::into_bytes).boxed(),
        "user[0-9]{6}".prop_map(String::into_bytes).boxed(),
        prop::collection::vec(any::<u8>(), 8).boxed(),
    ];
    let of_one_form = prop_oneof![
        prop::collection::btree_set(
            "[a-c]{1,2}\\|[0-9]{1,3}\\|-[a-z0-9]{0,3}".prop_map(String::into_bytes),
            1..120
        ),
        prop::collection::btree_set("[0-9]{4}-[0-9]{2}".prop_map(String::into_bytes), 1..120),
        prop::collection::btree_set("user[0-9]{6}".prop_map(String::into_bytes), 1..120),
        prop::collection::btree_set(prop::collection::vec(any::<u8>(), 8), 1..120),
        prop::collection::btree_set(key, 1..60),
    ];
    of_one_form.prop_map(|keys| keys.into_iter().collect())
}

proptest! {
    #[test]
    fn keys_come_back_and_are_found(
        keys in keys(),
        targets in prop::collection::vec(prop_oneof!["[a-c]{0,2}\\|?[0-9]{0,2}\\|?-?".prop_map(String::into_bytes), "[u0-9|-]{0,9}".prop_map(String::into_bytes)], 0..20),
    ) {
        check(&by_prefix(&keys), &keys, &targets);
        for compression in [Compression::None, Compression::Snappy] {
            if let Some(body) = by_field(&keys, compression) {
                check(&body, &keys, &targets);
            }
        }
    }

    #[test]
    fn no_damage_makes_a_decoder_of_keys_panic(
        keys in keys(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for mut body in [Some(by_prefix(&keys)), by_field(&keys, Compression::None)].into_iter().flatten() {
            for (at, byte) in &damage {
                let at = at.index(body.len());
                body[at] = *byte;
            }
            crate::fuzz::rows_page(&body);
        }
    }
}

#[test]
fn fields_compare_as_whole_keys_do() {
    let keys: Vec<Vec<u8>> = ["a|", "a|b", "a|b1", "a1|"].map(|key| key.as_bytes().to_vec()).to_vec();
    let body = by_field(&keys, Compression::None).unwrap();
    let page = RowKeyPage::parse(&body, PageKind::Rows).unwrap();
    for order in [RowOrder::Bytes, RowOrder::Meta] {
        assert_eq!(page.find_block(&body, &KeptHeads::default(), b"a", order).unwrap(), 0);
    }
    let mut reader = crate::bytes::FieldReader::new(&body);
    reader.skip(9).unwrap();
    let parsed = fields::Fields::parse(&body, &mut reader, keys.len()).unwrap();
    for (row, key) in keys.iter().enumerate() {
        for other in ["", "a", "a|", "a|b", "a|b0", "a|b11", "a1", "a1|", "a1|0", "b"] {
            let expected: Ordering = key.as_slice().cmp(other.as_bytes());
            assert_eq!(parsed.compare(&body, row, other.as_bytes(), RowOrder::Bytes).unwrap(), expected);
        }
    }
}

#[test]
fn no_byte_may_follow_the_last_field() {
    let keys: Vec<Vec<u8>> = (10..30).map(|n| format!("k|{n}").into_bytes()).collect();
    let mut body = by_field(&keys, Compression::None).unwrap();
    assert!(RowKeyPage::parse(&body, PageKind::Rows).is_ok());
    body.push(0);
    assert!(RowKeyPage::parse(&body, PageKind::Rows).is_err());
}

#[test]
fn keys_of_different_forms_have_no_fields() {
    let differ: [&[u8]; 2] = [b"a|b", b"a-b"];
    assert_eq!(fields::delimiters(differ.into_iter()), None);
    let many = "|".repeat(20);
    assert_eq!(fields::delimiters([many.as_bytes()].into_iter()), None);
}

#[test]
fn keys_are_found_among_those_with_the_same_head() {
    let text = |n: usize| format!("row{}{n:04}", "x".repeat(n % 30)).into_bytes();
    let zeros = |n: usize| [&b"row"[..], &vec![0; n % 20], &[1; 2][..n % 3]].concat();
    let shared = |n: usize| format!("row{}{n:05}", "same bytes".repeat(n / 150)).into_bytes();
    for key in [text as fn(usize) -> Vec<u8>, zeros, shared] {
        let keys: std::collections::BTreeSet<Vec<u8>> = (0..600).map(key).collect();
        let keys: Vec<Vec<u8>> = keys.into_iter().collect();
        assert!(keys.len() > 2 * RESTART_ROWS, "one block has no neighbours");
        let longer = keys.iter().map(|key| [key, &b"\0"[..]].concat());
        let shorter = keys.iter().map(|key| key[..key.len() / 2].to_vec());
        let targets: Vec<Vec<u8>> = longer.chain(shorter).chain([b"q".to_vec(), b"s".to_vec()]).collect();
        check(&by_prefix(&keys), &keys, &targets);
    }
}

/// A string that no key can have must not be copied for each of many rows before a key is found too long.
#[test]
fn a_dictionary_of_long_strings_takes_no_memory_for_each_row() {
    let long = vec![b'a'; 1 << 20];
    let fields: Vec<&[u8]> = (0..128).map(|row| if row < 16 { b"a".as_slice() } else { b"b" }).collect();
    let mut stats = crate::encoding::stats::BlobStats::of(&fields);
    stats.distinct.as_mut().unwrap().strings[1] = &long;
    let mut bytes = vec![1];
    Encoding::Dictionary.write(&stats, &fields, Packing::Tight, &mut bytes);
    let body =
        EncodedKeys { first_row: 0, rows: 128, by_field: true, bytes }.page(&SharedVersions::default());
    let page = RowKeyPage::parse(&body, PageKind::Rows).unwrap();
    let (mut parts, mut integers, mut keys) = (Vec::new(), Default::default(), Strings::default());
    let scratch = KeyScratch { parts: &mut parts, integers: &mut integers };
    let refused = page.append_keys(&body, 0..128, usize::MAX, scratch, &mut keys).unwrap_err();
    assert_eq!(refused.what, "a row key is too long");
    assert!(keys.memory_bytes() + parts.iter().map(Strings::memory_bytes).sum::<usize>() < 1 << 20);
}
