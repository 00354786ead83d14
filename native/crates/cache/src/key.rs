//! What pages are called in the cache.

use std::hash::{Hash, Hasher};

use grampus_base::narrow;

/// A file's identity in the cache: the same after it is closed and opened again, as long as its name says which file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId(u128);

impl FileId {
    /// All of its bits.
    pub(super) fn number(self) -> u128 {
        self.0
    }

    /// The file of such a number.
    pub(super) fn of_number(number: u128) -> FileId {
        FileId(number)
    }

    /// True for the identity that a name gives; one that was handed out means another file in the next process.
    pub(super) fn is_lasting(self) -> bool {
        self.0 > u128::from(u64::MAX)
    }
}

impl Hash for FileId {
    /// Half of the bits tell files apart well enough for a table, and cost less on every look-up.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b] = narrow::halves(self.0);
        state.write_u64(a ^ b);
    }
}

/// A page: its file, and its offset there.
pub(super) type Key = (FileId, u64);
