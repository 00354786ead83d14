//! Looking for a string that is wanted in an encoded sequence, without making every string: one that repeats is evaluated once.

use std::ops::Range;

use super::blobs::{Blobs, Scratch};
use super::dictionary::Dictionary;
use super::located::Located;
use crate::error::Decoded;

/// What is known of codes from this on is not kept: empty strings take no bytes, and a few bytes may say that there are billions.
const CODES_MAX: usize = 1 << 20;

/// What is known of the distinct strings of a dictionary, by code. Of one sequence and one predicate.
#[derive(Default)]
pub(crate) struct CodeMatches {
    wanted: Vec<Option<bool>>,
}

impl CodeMatches {
    /// What is known of a code.
    #[inline]
    fn of(&self, code: usize) -> Option<bool> {
        self.wanted.get(code).copied().flatten()
    }

    fn set(&mut self, code: usize, wanted: bool) {
        if code >= CODES_MAX {
            return;
        }
        if self.wanted.len() <= code {
            self.wanted.resize(code + 1, None);
        }
        if let Some(entry) = self.wanted.get_mut(code) {
            *entry = Some(wanted);
        }
    }
}

/// What a predicate says of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is wanted.
    Wanted,
    /// It is not.
    Unwanted,
    /// It is not, and there is no time to evaluate another one.
    Last,
}

impl Verdict {
    /// Where a search ends that has evaluated the string of a position, if it ends.
    #[inline]
    fn end(self, at: usize) -> Option<usize> {
        match self {
            Verdict::Wanted => Some(at),
            Verdict::Unwanted => None,
            Verdict::Last => Some(at + 1),
        }
    }
}

impl From<bool> for Verdict {
    fn from(wanted: bool) -> Verdict {
        if wanted { Verdict::Wanted } else { Verdict::Unwanted }
    }
}

impl Blobs {
    /// The first of the positions whose string is wanted, the one after the last that was evaluated, or where they end. The same string is wanted or not
    /// whenever it is evaluated.
    pub(crate) fn first_wanted(
        &self,
        body: &[u8],
        mut positions: Range<usize>,
        matches: &mut CodeMatches,
        predicate: impl Fn(&[u8]) -> Verdict,
    ) -> Decoded<usize> {
        let end = positions.end;
        match self {
            Blobs::Constant(constant) => {
                let string = in_body(body, constant.locate());
                Ok(if positions.is_empty() || predicate(string) == Verdict::Wanted {
                    positions.start
                } else {
                    end
                })
            }
            Blobs::Fixed(fixed) => {
                let found = positions.find_map(|at| predicate(in_body(body, fixed.locate(at))).end(at));
                Ok(found.unwrap_or(end))
            }
            Blobs::Dictionary(dictionary) => {
                for at in positions {
                    if let Some(end) = dictionary.evaluate(body, at, matches, &predicate)?.end(at) {
                        return Ok(end);
                    }
                }
                Ok(end)
            }
            Blobs::Plain(plain) => {
                for at in positions {
                    if let Some(end) = predicate(in_body(body, plain.locate(body, at)?)).end(at) {
                        return Ok(end);
                    }
                }
                Ok(end)
            }
            Blobs::Made(made) => {
                let (mut scratch, mut last) = (Scratch::default(), None);
                for at in positions {
                    let located = made.locate(body, at)?;
                    if last.replace(located) == Some(located) {
                        continue; // not wanted a moment ago
                    }
                    scratch.load(body, located)?;
                    if let Some(end) = predicate(scratch.slice(body, located)).end(at) {
                        return Ok(end);
                    }
                }
                Ok(end)
            }
        }
    }
}

/// A string that is in the body as such.
#[inline]
fn in_body(body: &[u8], located: Located) -> &[u8] {
    let Located::At(start, len) = located else { return &[] };
    body.get(start as usize..start as usize + len as usize).unwrap_or_default()
}

impl Dictionary {
    #[inline]
    fn evaluate(
        &self,
        body: &[u8],
        at: usize,
        matches: &mut CodeMatches,
        predicate: impl Fn(&[u8]) -> Verdict,
    ) -> Decoded<Verdict> {
        let code = self.code(body, at)?;
        if let Some(wanted) = matches.of(code) {
            return Ok(wanted.into());
        }
        let seen = predicate(in_body(body, self.string(body, code)?));
        matches.set(code, seen == Verdict::Wanted);
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ints::Packing;
    use super::super::stats::BlobStats;
    use super::super::tag::Encoding;
    use super::*;
    use crate::bytes::FieldReader;

    /// Each of one character; they repeat often enough for a dictionary.
    const STRINGS: &str = "1212312123121214";

    /// Where searches for "4" end that have time for one evaluation each, and of which each begins where the one before has ended.
    fn ends_of_single_evaluations(encoding: Encoding) -> Vec<usize> {
        let strings: Vec<&[u8]> = STRINGS.as_bytes().chunks(1).collect();
        let (stats, mut body) = (BlobStats::of(&strings), Vec::new());
        encoding.estimate(&stats, Packing::Tight).unwrap();
        encoding.write(&stats, &strings, Packing::Tight, &mut body);
        let blobs = Blobs::parse(&body, &mut FieldReader::new(&body), strings.len()).unwrap();
        let (mut matches, mut ends, mut at) = (CodeMatches::default(), Vec::new(), 0);
        let predicate = |string: &[u8]| if string == b"4" { Verdict::Wanted } else { Verdict::Last };
        while ends.last() != Some(&at) {
            ends.push(at);
            at = blobs.first_wanted(&body, at..strings.len(), &mut matches, predicate).unwrap();
        }
        ends
    }

    #[test]
    fn a_search_ends_after_its_last_evaluation() {
        for encoding in [Encoding::Plain, Encoding::Fixed, Encoding::Number] {
            assert_eq!(ends_of_single_evaluations(encoding), Vec::from_iter(0..16), "{encoding:?}");
        }
        assert_eq!(
            ends_of_single_evaluations(Encoding::Dictionary),
            [0, 1, 2, 5, 15],
            "what is known needs no evaluation"
        );
    }
}
