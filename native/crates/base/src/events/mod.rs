//! What the engine does in the background, one sentence per event, for the server's log.
//!
//! The engine never calls its caller: events wait in a bounded queue until the caller polls them.

mod queue;
mod words;

pub use queue::{Event, EventQueue, Level, Topic};
pub use words::{bytes, count};
