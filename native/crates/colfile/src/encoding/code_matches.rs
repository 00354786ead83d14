//! Looking for a string that is wanted in an encoded sequence, without making every string: one that repeats is evaluated once.

use std::ops::Range;

use super::blobs::{Blobs, Scratch};
use super::dictionary::Dictionary;
use super::located::Located;
use crate::error::Decoded;

/// What is known of the distinct strings of a dictionary, by code. Of one sequence and one predicate.
#[derive(Default)]
pub(crate) struct CodeMatches {
    wanted: Vec<Option<bool>>,
}

impl CodeMatches {
    #[inline]
    fn of(&mut self, code: usize, evaluate: impl FnOnce() -> Decoded<bool>) -> Decoded<bool> {
        if let Some(Some(known)) = self.wanted.get(code) {
            return Ok(*known);
        }
        let wanted = evaluate()?;
        if self.wanted.len() <= code {
            self.wanted.resize(code + 1, None);
        }
        if let Some(entry) = self.wanted.get_mut(code) {
            *entry = Some(wanted);
        }
        Ok(wanted)
    }
}

impl Blobs {
    /// The first of the positions whose string is wanted, or where they end. `wanted` gives the same answer for the same string.
    pub(crate) fn first_wanted(
        &self,
        body: &[u8],
        positions: Range<usize>,
        matches: &mut CodeMatches,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Decoded<usize> {
        let end = positions.end;
        match self {
            Blobs::Constant(constant) => {
                let string = in_body(body, constant.locate());
                Ok(if positions.is_empty() || wanted(string) { positions.start } else { end })
            }
            Blobs::Fixed(fixed) => {
                let mut positions = positions;
                Ok(positions.find(|at| wanted(in_body(body, fixed.locate(*at)))).unwrap_or(end))
            }
            Blobs::Dictionary(dictionary) => {
                for at in positions {
                    if dictionary.is_wanted(body, at, matches, &wanted)? {
                        return Ok(at);
                    }
                }
                Ok(end)
            }
            Blobs::Plain(plain) => {
                for at in positions {
                    if wanted(in_body(body, plain.locate(body, at)?)) {
                        return Ok(at);
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
                    if wanted(scratch.slice(body, located)) {
                        return Ok(at);
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
    fn is_wanted(
        &self,
        body: &[u8],
        at: usize,
        matches: &mut CodeMatches,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Decoded<bool> {
        let code = self.code(body, at)?;
        matches.of(code, || Ok(wanted(in_body(body, self.string(body, code)?))))
    }
}
