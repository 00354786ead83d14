//! Version of the payload's layout.

/// What this crate writes.
pub const FORMAT_MAJOR: u16 = 2;

/// The oldest that it reads; it refuses what is older than this or newer than [`FORMAT_MAJOR`].
pub const FORMAT_MAJOR_MIN: u16 = 1;

/// Additions that an older reader of the same major number may ignore.
pub(crate) const FORMAT_MINOR: u16 = 1;

/// The version, major and minor, that brought pages of rows in the place of pages of row keys.
pub(crate) const ROWS_SINCE: (u16, u16) = (2, 0);

/// The version that brought the columns' `single puts` bits.
pub(crate) const SINGLE_PUTS_SINCE: (u16, u16) = (2, 1);

/// What every column file begins with, of whatever version.
pub(crate) const FILE_NAME: &[u8; 7] = b"GRAMPUS";

/// First bytes of every column file: a name for people and tools; readers go by the footer.
pub(crate) const FILE_MAGIC: &[u8; 8] = b"GRAMPUS\x02";
