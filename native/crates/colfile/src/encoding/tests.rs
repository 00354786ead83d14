//! Every encoding restores what it was given, and none believes its input.

use std::ops::Range;

use grampus_cells::Strings;
use proptest::prelude::*;

use super::blobs::{self, Scratch, Target};
use super::ints::{self, Packing};
use super::stats::BlobStats;
use super::symbols::Symbols;
use super::tag::Encoding;
use super::{Blobs, Ints};
use crate::Compression;
use crate::bytes::FieldReader;

fn read_all(body: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut reader = FieldReader::new(body);
    let parsed = Blobs::parse(body, &mut reader, count).unwrap();
    reader.expect_end().unwrap();
    let mut scratch = Scratch::default();
    let mut read = |index| {
        let located = parsed.locate(body, index).unwrap();
        scratch.load(body, located).unwrap();
        scratch.slice(body, located).to_vec()
    };
    let strings: Vec<Vec<u8>> = (0..count).map(&mut read).collect();
    for positions in parts(count) {
        let (mut integers, mut many) = (Default::default(), Strings::default());
        many.push(b"before");
        parsed.append(body, positions.clone(), &mut integers, &mut many).unwrap();
        assert!(many.iter().skip(1).eq(&strings[positions]), "many at a time are those one by one");
    }
    strings
}

/// All positions, and some of them.
fn parts(count: usize) -> [Range<usize>; 4] {
    [0..count, count / 3..count - count / 4, count - 1..count, 0..0]
}

fn strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let digits = "[1-9][0-9]{0,17}".prop_map(String::into_bytes);
    prop_oneof![
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 1..200),
        prop::collection::vec(prop::collection::vec(any::<u8>(), 8), 1..200),
        prop::collection::vec(prop::collection::vec(0u8..3, 4), 1..200),
        prop::collection::vec(prop_oneof![Just(b"0".to_vec()), digits], 1..200),
        (1usize..9)
            .prop_flat_map(|size| prop::collection::vec(prop::collection::vec(any::<u8>(), size), 1..200)),
        prop::collection::vec("-?[1-9][0-9]{0,17}".prop_map(String::into_bytes), 1..200),
        prop::collection::vec("-?[1-9][0-9]{0,4}\\.[0-9]{3}".prop_map(String::into_bytes), 1..200),
        prop::collection::vec("00[0-9]{6}x[0-9]{3}".prop_map(String::into_bytes), 1..200),
        prop::collection::vec(
            "20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}Z".prop_map(String::into_bytes),
            1..200
        ),
        (prop::collection::vec(any::<u8>(), 0..70), 1usize..100).prop_map(|(s, n)| vec![s; n]),
    ]
}

/// Sentences of few words, enough to look for symbols in.
fn text() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let words =
        ["occurrence", "locality", "Møns Klint", "unknown", "preserved specimen", "leg.", "det.", "1998"];
    let sentence = prop::collection::vec(prop::sample::select(words.to_vec()), 3..8);
    (prop::collection::vec((sentence, any::<u16>()), 400..500)).prop_map(|sentences| {
        let line = |(words, number): (Vec<&str>, u16)| format!("{} {number}", words.join(" ")).into_bytes();
        sentences.into_iter().map(line).filter(|line| line.len() < 100).chain([Vec::new()]).collect()
    })
}

fn read_ints(body: &[u8], count: usize) -> Vec<u64> {
    let mut reader = FieldReader::new(body);
    let parsed = Ints::parse(body, &mut reader, count).unwrap();
    reader.expect_end().unwrap();
    // Backwards, so that a walk's memory of the place before helps nothing.
    let mut read: Vec<u64> = (0..count).rev().map(|i| parsed.get(body, i)).collect();
    read.reverse();
    assert!((0..count).all(|i| parsed.get(body, i) == read[i]));
    for positions in parts(count) {
        let mut many = vec![7];
        parsed.read(body, positions.clone(), &mut many);
        assert_eq!(many, read[positions]);
    }
    read
}

fn integers() -> impl Strategy<Value = Vec<u64>> {
    let rising = (any::<u64>(), prop::collection::vec(0u64..1000, 1..600)).prop_map(|(start, steps)| {
        let mut at = start >> 8;
        steps
            .iter()
            .map(|step| {
                at += step;
                at
            })
            .collect()
    });
    prop_oneof![
        prop::collection::vec(any::<u64>(), 1..300),
        prop::collection::vec(1_000_000u64..1_000_100, 1..600),
        prop::collection::vec(0u64..1 << 57, 1..300),
        prop::collection::vec(prop::sample::select(vec![0, 7, 1 << 40, u64::MAX]), 1..600),
        rising,
        prop::collection::vec((any::<u64>(), 1usize..50), 1..20)
            .prop_map(|runs| runs.into_iter().flat_map(|(v, n)| vec![v; n]).collect()),
    ]
}

proptest! {
    #[test]
    fn every_encoding_round_trips(strings in strings()) {
        let refs: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let stats = BlobStats::of(&refs);
        for encoding in Encoding::ALL {
            if encoding.estimate(&stats, Packing::Tight).is_some() {
                let mut body = Vec::new();
                encoding.write(&stats, &refs, Packing::Tight, &mut body);
                prop_assert_eq!(&read_all(&body, refs.len()), &strings, "{:?}", encoding);
            }
        }
        let mut body = Vec::new();
        blobs::write(&refs, Target::of(Compression::None), &mut body);
        prop_assert_eq!(&read_all(&body, refs.len()), &strings);
    }

    #[test]
    fn text_round_trips_through_its_symbols(text in text(), other in strings(), byte in any::<u8>(), at in any::<prop::sample::Index>()) {
        let refs: Vec<&[u8]> = text.iter().map(Vec::as_slice).collect();
        let symbols = Symbols::train(&refs).unwrap();
        // The symbols of one text must hold any other too.
        for strings in [&text, &other] {
            let refs: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let mut body = vec![Encoding::Symbols as u8];
            symbols.write(&refs, Packing::Tight, &mut body);
            prop_assert_eq!(&read_all(&body, refs.len()), strings);
            // The fuzz target takes a count of one byte.
            let few = &refs[..refs.len().min(255)];
            body.truncate(1);
            symbols.write(few, Packing::Tight, &mut body);
            let at = at.index(body.len());
            body[at] = byte;
            crate::fuzz::blobs(&[&[u8::try_from(few.len()).unwrap()], body.as_slice()].concat());
        }
        let mut body = Vec::new();
        let target = Target { compression: Compression::None, symbols: Some(&symbols) };
        blobs::write(&refs, target, &mut body);
        prop_assert_eq!(&read_all(&body, refs.len()), &text);
    }

    #[test]
    fn every_encoding_of_integers_round_trips(values in integers()) {
        for plan in ints::plans(&values) {
            let mut body = Vec::new();
            ints::write_planned(&plan, &values, &mut body);
            prop_assert!(body.len() <= plan.bytes, "{} bytes were planned, {} written", plan.bytes, body.len());
            prop_assert_eq!(read_ints(&body, values.len()), values.clone());
        }
        for packing in [Packing::Tight, Packing::Bytes] {
            let mut body = Vec::new();
            ints::write(&values, packing, &mut body);
            prop_assert_eq!(read_ints(&body, values.len()), values.clone());
        }
    }

    #[test]
    fn no_input_makes_a_decoder_of_integers_panic(body in prop::collection::vec(any::<u8>(), 0..150), tag in 1u8..5) {
        crate::fuzz::ints(&[&[tag], body.as_slice()].concat());
    }

    #[test]
    fn no_damage_makes_a_decoder_of_integers_panic(
        values in integers(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for plan in ints::plans(&values) {
            let mut body = Vec::new();
            ints::write_planned(&plan, &values, &mut body);
            for (at, byte) in &damage {
                let at = at.index(body.len());
                body[at] = *byte;
            }
            crate::fuzz::ints(&body);
        }
    }

    #[test]
    fn no_input_makes_a_decoder_panic(body in prop::collection::vec(any::<u8>(), 0..100), count in 0usize..50) {
        if let Ok(parsed) = Blobs::parse(&body, &mut FieldReader::new(&body), count) {
            let mut scratch = Scratch::default();
            for index in 0..count {
                if let Ok(located) = parsed.locate(&body, index)
                    && scratch.load(&body, located).is_ok()
                {
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

#[test]
fn integers_are_written_in_the_encoding_that_suits_them() {
    let name = |values: &[u64]| {
        let mut body = Vec::new();
        ints::write(values, Packing::Tight, &mut body);
        let name = Ints::parse(&body, &mut FieldReader::new(&body), values.len()).unwrap().describe();
        (name, body.len())
    };
    let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    assert_eq!(name(&(0..1000).map(noise).collect::<Vec<_>>()).0, "bit-packed");
    assert_eq!(name(&(0..1000).map(|n| noise(n / 100)).collect::<Vec<_>>()).0, "run-length");
    let times: Vec<u64> = (0..1000).map(|n| noise(noise(n) % 4) << 30).collect();
    assert_eq!(name(&times).0, "int-dictionary");
    let (encoding, bytes) = name(&(0..12_800).map(|n| n * 1000 + noise(n) % 16).collect::<Vec<_>>());
    assert_eq!(encoding, "blocked");
    assert!(bytes < 12_800 * 6 / 8, "a line leaves little: {bytes} bytes");
}

#[test]
fn text_that_says_numbers_is_stored_as_numbers() {
    let choice = |strings: Vec<String>| {
        let refs: Vec<&[u8]> = strings.iter().map(|s| s.as_bytes()).collect();
        blobs::choose(&BlobStats::of(&refs)).0
    };
    let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    assert_eq!(choice((0..999).map(|n| noise(n).to_string()).collect()), Encoding::Decimal);
    assert_eq!(choice((0..999).map(|n| (noise(n) as i64 - 9_999).to_string()).collect()), Encoding::Scaled);
    assert_eq!(choice((0..999).map(|n| format!("{}.{:02}", noise(n), n % 100)).collect()), Encoding::Scaled);
    assert_eq!(choice((0..999).map(|n| format!("{n:026}")).collect()), Encoding::Template);
    assert_eq!(
        choice((0..999).map(|n| format!("2013-01-{:02}T{:02}:{:02}:00Z", n % 28, n % 23, n % 59)).collect()),
        Encoding::Template
    );
}

#[test]
fn text_is_written_in_symbols_and_noise_is_not() {
    let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let urls: Vec<String> =
        (0..999).map(|n| format!("https://example.org/occurrence/{}", noise(n))).collect();
    let urls: Vec<&[u8]> = urls.iter().map(|url| url.as_bytes()).collect();
    let symbols = Symbols::train(&urls).unwrap();
    let mut body = Vec::new();
    blobs::write(&urls, Target { compression: Compression::None, symbols: Some(&symbols) }, &mut body);
    assert_eq!(body.first(), Some(&(Encoding::Symbols as u8)));
    assert!(body.len() < 999 * 20, "{} bytes", body.len());
    let random: Vec<[u8; 16]> =
        (0..9999u64).map(|n| (u128::from(noise(n)) * u128::from(noise(n + 7))).to_le_bytes()).collect();
    let random: Vec<&[u8]> = random.iter().map(|bytes| bytes.as_slice()).collect();
    assert!(Symbols::train(&random).is_none());
    assert!(Symbols::train(&[[b'x'; 1000].as_slice(); 100]).is_none(), "long strings are left alone");
}
