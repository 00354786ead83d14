//! Errors of reading and writing column files.

/// An error that names the file and, for corruption, the page and the byte in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are not what a writer of this format produces.
    #[error("{file} is corrupt in the page at offset {page}, byte {at}: {what}")]
    Corrupt {
        /// File name.
        file: String,
        /// Offset of the page in the file.
        page: u64,
        /// Byte within the page's decompressed body (within the stored page for header and checksum errors).
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The file is well-formed but newer than this reader, or not a column file.
    #[error("{file}: {what}")]
    Unsupported {
        /// File name.
        file: String,
        /// What this reader cannot do.
        what: String,
    },
    /// The operating system refused a read.
    #[error("cannot read {len} bytes at offset {offset} of {file}: {source}")]
    Read {
        /// File name.
        file: String,
        /// Where.
        offset: u64,
        /// How much.
        len: usize,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The sink refused a write.
    #[error("cannot write the column file: {0}")]
    Write(#[source] std::io::Error),
    /// A non-blocking read needs a page that is not in memory.
    #[error("the page is not in memory")]
    WouldBlock,
    /// The source of pages has no memory for the page now.
    #[error("{0}")]
    Busy(String),
    /// The caller broke the writer's contract (cell order, sizes).
    #[error("{0}")]
    Misuse(String),
}

/// The engine's error for one of a file.
impl From<Error> for grampus_base::Error {
    fn from(error: Error) -> grampus_base::Error {
        use grampus_base::ErrorKind;
        let kind = match &error {
            Error::WouldBlock => return grampus_base::Error::would_block(),
            Error::Busy(_) => ErrorKind::Busy,
            Error::Corrupt { .. } | Error::Unsupported { .. } => ErrorKind::Corrupt,
            Error::Read { .. } | Error::Write(_) => ErrorKind::Io,
            Error::Misuse(_) => ErrorKind::Bug,
        };
        let message = error.to_string();
        let (source, file) = match error {
            Error::Read { file, source, .. } => (Some(source), Some(file.into_boxed_str())),
            Error::Write(source) => (Some(source), None),
            Error::Corrupt { file, .. } | Error::Unsupported { file, .. } => {
                (None, Some(file.into_boxed_str()))
            }
            Error::WouldBlock | Error::Busy(_) | Error::Misuse(_) => (None, None),
        };
        grampus_base::Error { kind, message, source, file }
    }
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A decoder's complaint, before file and page are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Byte within the decoded slice.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl Malformed {
    /// A complaint about one byte.
    pub fn new(at: usize, what: &'static str) -> Malformed {
        Malformed { at, what }
    }

    /// The complaint with its place.
    pub(crate) fn in_page(self, file: &str, page: u64) -> Error {
        Error::Corrupt { file: file.to_string(), page, at: self.at, what: self.what }
    }
}

/// Result of a decoder.
pub type Decoded<T> = std::result::Result<T, Malformed>;
