//! Record batches for another language: Arrow's stream interface of C.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use grampus_base::{Error, ErrorKind, Result};

use crate::reader::{BatchReader, RowSource};

/// Writes a stream of a reader's batches to an address, where its consumer takes it: an `ArrowArrayStream` of Arrow's C stream interface, 40 bytes.
/// The stream owns the reader. Its consumer calls `release` when it wants no more, from any thread, and no two of its functions at a time.
///
/// An error of the reader is an error of `get_next`, with the reader's sentence as its text; what follows it is the end of the stream, so a consumer
/// that overlooks an error takes a part for the whole. No panic leaves the functions.
///
/// # Errors
/// The address is null, or not one of the struct's alignment. Nothing is written then.
///
/// # Safety
/// `address` may be written to, 40 bytes of it, while this runs. What is there is overwritten: a stream that was there and was not released is leaked.
pub unsafe fn export_stream<S: RowSource + 'static>(
    reader: BatchReader<S>,
    address: *mut FFI_ArrowArrayStream,
) -> Result<()> {
    if address.is_null() || !address.is_aligned() {
        let message = format!("a stream of batches cannot be written to the address {address:p}");
        return Err(Error::new(ErrorKind::BadRequest, message));
    }
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    // SAFETY: the caller says that the place may be written to, and it is not null and is aligned. Nothing that was there is read or dropped.
    unsafe { address.write(stream) };
    Ok(())
}
