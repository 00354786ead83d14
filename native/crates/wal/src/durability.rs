//! When a write may be acknowledged: [`crate::Wal::commit`] gives each durability what it asks for.

use grampus_base::{Error, ErrorKind, Result};

/// When a mutation may be acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Not logged.
    Skip,
    /// Logged soon.
    Async,
    /// Handed to the operating system before the reply.
    Sync,
    /// On the medium before the reply.
    Fsync,
}

impl Durability {
    /// The durability for a code; 0 is the table's default.
    pub fn from_code(code: u8, default: Durability) -> Result<Durability> {
        match code {
            0 => Ok(default),
            1 => Ok(Durability::Skip),
            2 => Ok(Durability::Async),
            3 => Ok(Durability::Sync),
            4 => Ok(Durability::Fsync),
            other => Err(Error::new(ErrorKind::BadRequest, format!("unknown durability {other}"))),
        }
    }
}
