//! Every encoding restores what it was given, and none believes its input.

use proptest::prelude::*;

use super::blobs::{self, Encoding, Scratch};
use super::stats::BlobStats;
use super::{Blobs, Ints, ints};
use crate::bytes::ByteReader;

fn read_all(body: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut reader = ByteReader::new(body);
    let parsed = Blobs::parse(body, &mut reader, count).unwrap();
    reader.expect_end().unwrap();
    let mut scratch = Scratch::default();
    let mut read = |index| {
        let located = parsed.locate(body, index).unwrap();
        scratch.load(located);
        scratch.slice(body, located).to_vec()
    };
    (0..count).map(&mut read).collect()
}

fn strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let digits = "[1-9][0-9]{0,17}".prop_map(String::into_bytes);
    prop_oneof![
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 1..200),
        prop::collection::vec(prop::collection::vec(any::<u8>(), 8), 1..200),
        prop::collection::vec(prop::collection::vec(0u8..3, 4), 1..200),
        prop::collection::vec(prop_oneof![Just(b"0".to_vec()), digits], 1..200),
        (prop::collection::vec(any::<u8>(), 0..70), 1usize..100).prop_map(|(s, n)| vec![s; n]),
    ]
}

proptest! {
    #[test]
    fn every_encoding_round_trips(strings in strings()) {
        let refs: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let stats = BlobStats::of(&refs);
        for encoding in Encoding::ALL {
            if encoding.estimate(&stats).is_some() {
                let mut body = Vec::new();
                encoding.write(&stats, &refs, &mut body);
                prop_assert_eq!(&read_all(&body, refs.len()), &strings, "{:?}", encoding);
            }
        }
        let mut body = Vec::new();
        blobs::write(&refs, &mut body);
        prop_assert_eq!(&read_all(&body, refs.len()), &strings);
    }

    #[test]
    fn integers_round_trip(values in prop_oneof![
        prop::collection::vec(any::<u64>(), 1..300),
        prop::collection::vec(1_000_000u64..1_000_100, 1..300),
        prop::collection::vec(0u64..1 << 57, 1..300),
        prop::collection::vec((any::<u64>(), 1usize..50), 1..20)
            .prop_map(|runs| runs.into_iter().flat_map(|(v, n)| vec![v; n]).collect()),
    ]) {
        let mut body = Vec::new();
        ints::write(&values, &mut body);
        let parsed = Ints::parse(&body, &mut ByteReader::new(&body), values.len()).unwrap();
        let read: Vec<u64> = (0..values.len()).map(|i| parsed.get(&body, i)).collect();
        prop_assert_eq!(read, values);
    }

    #[test]
    fn no_input_makes_a_decoder_panic(body in prop::collection::vec(any::<u8>(), 0..100), count in 0usize..50) {
        if let Ok(parsed) = Blobs::parse(&body, &mut ByteReader::new(&body), count) {
            let mut scratch = Scratch::default();
            for index in 0..count {
                if let Ok(located) = parsed.locate(&body, index) {
                    scratch.load(located);
                    scratch.slice(&body, located);
                }
            }
        }
    }
}

#[test]
fn the_estimate_prefers_what_is_smaller() {
    let numbers: Vec<[u8; 8]> = (0..1000u64).map(|n| (5_000_000 + n * 7 % 1000).to_be_bytes()).collect();
    let refs: Vec<&[u8]> = numbers.iter().map(|n| n.as_slice()).collect();
    assert_eq!(blobs::choose(&BlobStats::of(&refs)).0, Encoding::Number);
    let states = [b"Ohio".as_slice(), b"Texas", b"Maine"];
    let refs: Vec<&[u8]> = (0..1000).map(|n| states[n % 3]).collect();
    assert_eq!(blobs::choose(&BlobStats::of(&refs)).0, Encoding::Dictionary);
    assert_eq!(blobs::choose(&BlobStats::of(&[b"a", b"a"])).0, Encoding::Constant);
}
