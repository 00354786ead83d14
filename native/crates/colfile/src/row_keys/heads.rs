//! The first bytes in which the keys at a page's restart points differ, side by side, so that a search among them touches a few
//! cache lines instead of one or two for each key that it compares.

use std::ops::Range;
use std::sync::OnceLock;

use super::prefixes::Prefixes;
use crate::allocation::allocated;
use crate::error::Decoded;

/// The heads of a page once its keys were searched.
#[derive(Debug, Default)]
pub(crate) struct KeptHeads(OnceLock<Option<Heads>>);

impl KeptHeads {
    /// Makes them when they are first asked for. `None` where making them failed: the reader of the keys themselves then finds out
    /// why.
    pub(crate) fn get(&self, make: impl FnOnce() -> Decoded<Heads>) -> Option<&Heads> {
        self.0.get_or_init(|| make().ok()).as_ref()
    }
}

/// Made from a page of keys in byte order, kept beside it in memory; eight bytes for each restart point.
#[derive(Debug)]
pub(crate) struct Heads {
    /// Where the page's body has what all keys at restart points begin with.
    common: Range<usize>,
    /// For each of them the eight bytes after that, big-endian, filled up with zeros.
    heads: Box<[u64]>,
}

impl Heads {
    /// The heads of `blocks` blocks; `body` is what the keys were parsed from.
    pub(crate) fn of(keys: &Prefixes, body: &[u8], blocks: usize) -> Decoded<Heads> {
        let ((at, first), last) = (keys.restart(body, 0)?, keys.restart_key(body, blocks.saturating_sub(1))?);
        // The keys ascend, so what the outermost share all others do.
        let common = first.iter().zip(last).take_while(|(a, b)| a == b).count();
        let heads = (0..blocks).map(|block| Ok(head(keys.restart_key(body, block)?.get(common..))));
        Ok(Heads { common: at..at + common, heads: heads.collect::<Decoded<_>>()? })
    }

    /// Bytes of memory that the heads of `blocks` blocks take outside the struct itself.
    pub(crate) fn heap_bytes(blocks: usize) -> usize {
        allocated(blocks * size_of::<u64>())
    }

    /// Blocks whose first key may be a given one: those before them begin below it, those after them above it. The body is what the
    /// heads were made from.
    pub(crate) fn surrounding(&self, body: &[u8], key: &[u8]) -> Range<usize> {
        let common = body.get(self.common.clone()).unwrap_or_default();
        let (start, rest) = key.split_at(common.len().min(key.len()));
        match start.cmp(common) {
            std::cmp::Ordering::Less => 0..0,
            std::cmp::Ordering::Greater => self.heads.len()..self.heads.len(),
            std::cmp::Ordering::Equal => {
                let wanted = head(Some(rest));
                let from = self.heads.partition_point(|head| *head < wanted);
                let same = self.heads.iter().skip(from).take_while(|head| **head == wanted).count();
                from..from + same
            }
        }
    }
}

/// The first eight bytes as an integer that orders as they do.
fn head(bytes: Option<&[u8]>) -> u64 {
    let bytes = bytes.unwrap_or_default();
    if let Some(first) = bytes.first_chunk::<8>() {
        return u64::from_be_bytes(*first);
    }
    bytes.iter().zip((0..8).rev()).fold(0, |head, (byte, place)| head | u64::from(*byte) << (8 * place))
}
