//! What every layer of the engine needs: its error, counters, events for the log, panics as errors, points at which tests end it, and bugs that they seed.
//!
//! Nothing here knows a cell or a format.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod checksum;
mod contain;
mod counter;
pub mod crash_point;
mod error;
pub mod events;
mod histogram;
pub mod narrow;
mod random_read;
mod retry;
pub mod seeded_bug;
mod split_mix;
pub mod sync;
mod text;

pub use checksum::checksum_holds;
pub use contain::contain;
pub use counter::Counter;
pub use error::{Error, ErrorKind, Result};
pub use histogram::Histogram;
pub use random_read::RandomRead;
pub use retry::Retry;
pub use split_mix::{SPLIT_MIX_STEP, split_mix};
pub use text::{from_hex, printable, table_parts, to_hex};
