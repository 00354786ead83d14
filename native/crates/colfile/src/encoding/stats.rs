//! One pass over a sequence of byte strings, from which every encoding estimates its size.

use std::collections::HashMap;

use super::scaled::{self, Scaled};
use super::template::{self, Digits};
use super::{decimal, number};

/// Longest string that the dictionary considers.
const DICTIONARY_BYTES_MAX: usize = 64;

/// What the estimates need.
pub(crate) struct BlobStats<'a> {
    pub(crate) count: usize,
    pub(crate) total_bytes: usize,
    /// The common length, if there is one.
    pub(crate) length: Option<usize>,
    /// The common string, if there is one.
    pub(crate) constant: Option<&'a [u8]>,
    /// Distinct strings in order of appearance, if they are few.
    pub(crate) distinct: Option<Distinct<'a>>,
    /// Their values when all are big-endian integers of a common length of 1 to 8 bytes.
    pub(crate) numbers: Option<Vec<u64>>,
    /// Where they differ, when they have a common length and differ only in digits.
    pub(crate) digits: Option<Digits>,
    /// Their values when all are decimal numbers, but not all plain ones.
    pub(crate) scaled: Option<Scaled>,
    /// Their values when all are plain decimal numbers.
    pub(crate) decimals: Option<Vec<u64>>,
}

/// Few distinct strings.
pub(crate) struct Distinct<'a> {
    pub(crate) strings: Vec<&'a [u8]>,
    pub(crate) total_bytes: usize,
    pub(crate) codes: Vec<u64>,
}

impl<'a> BlobStats<'a> {
    /// Looks at every string once.
    pub(crate) fn of(strings: &[&'a [u8]]) -> BlobStats<'a> {
        let first = strings.first().copied().unwrap_or_default();
        let length = strings.iter().all(|s| s.len() == first.len()).then_some(first.len());
        let constant = (length.is_some() && strings.iter().all(|s| *s == first)).then_some(first);
        let decimals = values(strings, decimal::read);
        BlobStats {
            count: strings.len(),
            total_bytes: strings.iter().map(|s| s.len()).sum(),
            length,
            constant,
            distinct: if constant.is_some() { None } else { distinct(strings) },
            numbers: length.filter(|len| number::is_size(*len)).and_then(|_| values(strings, number::read)),
            digits: length.filter(|_| constant.is_none()).and_then(|_| template::digits(strings)),
            scaled: if decimals.is_some() { None } else { scaled::scaled(strings) },
            decimals,
        }
    }
}

fn values(strings: &[&[u8]], read: impl Fn(&[u8]) -> Option<u64>) -> Option<Vec<u64>> {
    strings.iter().map(|string| read(string)).collect()
}

/// The dictionary, unless it would have more than a quarter as many strings as there are cells.
fn distinct<'a>(strings: &[&'a [u8]]) -> Option<Distinct<'a>> {
    let limit = strings.len() / 4;
    let mut found: HashMap<&[u8], u64, crate::hash::BuildXxh3> = HashMap::default();
    let mut result =
        Distinct { strings: Vec::new(), total_bytes: 0, codes: Vec::with_capacity(strings.len()) };
    for string in strings {
        if string.len() > DICTIONARY_BYTES_MAX || result.strings.len() > limit {
            return None;
        }
        let next = result.strings.len() as u64;
        let code = *found.entry(string).or_insert(next);
        if code == next {
            result.strings.push(string);
            result.total_bytes += string.len();
        }
        result.codes.push(code);
    }
    Some(result)
}
