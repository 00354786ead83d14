//! One error type for the engine; its [`ErrorKind`] says what the caller can do about it.

use std::path::PathBuf;

/// What a caller can do about an error. The codes cross JNI (`docs/jni.md`); `compat.error` turns them into HBase exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ErrorKind {
    /// The request can never succeed as it is: DoNotRetryIOException.
    BadRequest = 1,
    /// Unknown column family: NoSuchColumnFamilyException.
    NoSuchFamily = 2,
    /// Row outside the region: WrongRegionException.
    WrongRegion = 3,
    /// Try later: RegionTooBusyException.
    Busy = 4,
    /// The region is closing or closed here: NotServingRegionException.
    NotServing = 5,
    /// A file's bytes are not what was written: the request fails, the server lives.
    Corrupt = 6,
    /// A WAL write or sync failed: nothing more is acknowledged, the process must exit.
    Poisoned = 7,
    /// The operating system refused; the message names the file.
    Io = 8,
    /// FailedSanityCheckException: a mutation with an impossible row or timestamp.
    Sanity = 9,
    /// RowTooBigException.
    RowTooBig = 10,
    /// A lock was not had in time: IOException, retried by the client.
    Timeout = 11,
    /// Use of a closed handle or a broken invariant: a defect of ours.
    Bug = 12,
    /// What a batch has answered takes much: the rest of it is to be sent again, at once. MultiActionResultTooLarge.
    LargeAnswers = 13,
    /// The non-blocking form cannot finish; run the same request blocking. Never leaves the engine as an exception.
    WouldBlock = 14,
}

/// An engine error.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What the caller can do.
    pub kind: ErrorKind,
    /// A sentence that names the thing and what to do.
    pub message: String,
    /// The operating system's error underneath, if any.
    #[source]
    pub source: Option<std::io::Error>,
    /// The column file whose bytes could not be read, if that is what failed.
    pub file: Option<Box<str>>,
}

/// Result of an engine call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind with its sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), source: None, file: None }
    }

    /// The marker that sends a request to the blocking pool.
    pub fn would_block() -> Error {
        Error { kind: ErrorKind::WouldBlock, message: String::new(), source: None, file: None }
    }

    /// An operating system error on a named file.
    pub fn io(action: &str, path: impl Into<PathBuf>, source: std::io::Error) -> Error {
        let path = path.into();
        Error {
            kind: ErrorKind::Io,
            message: format!("cannot {action} {}: {source}", path.display()),
            source: Some(source),
            file: None,
        }
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        match error.source {
            Some(source) => std::io::Error::new(source.kind(), error.message),
            None => std::io::Error::other(error.message),
        }
    }
}
