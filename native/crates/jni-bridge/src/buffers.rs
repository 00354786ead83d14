//! Slices of direct buffers that the Java caller owns, checked against the buffer's capacity.

use grampus_base::{Error, ErrorKind};
use jni::Env;
use jni::objects::JByteBuffer;

use crate::boundary::BridgeResult;

/// The bytes `offset..offset + length` of a direct buffer, to read.
pub(crate) fn input<'a>(
    env: &Env<'_>,
    buffer: &'a JByteBuffer<'_>,
    offset: i32,
    length: i32,
) -> BridgeResult<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    let (address, offset, length) = range(env, buffer, offset, length)?;
    // SAFETY: `range` proved that the bytes lie inside a live direct buffer; the Java caller keeps it reachable and unchanged during the call,
    // and the borrow of `buffer` ends the slice's life before the export returns.
    Ok(unsafe { std::slice::from_raw_parts(address.add(offset), length) })
}

/// The bytes `offset..offset + length` of a direct buffer, to write.
#[expect(clippy::mut_from_ref, reason = "the bytes are the Java buffer's, not the reference's")]
pub(crate) fn output<'a>(
    env: &Env<'_>,
    buffer: &'a JByteBuffer<'_>,
    offset: i32,
    length: i32,
) -> BridgeResult<&'a mut [u8]> {
    if length == 0 {
        return Ok(&mut []);
    }
    let (address, offset, length) = range(env, buffer, offset, length)?;
    // SAFETY: as for `input`; an output buffer is used by this one call alone and never passed as one of its inputs (docs/jni.md).
    Ok(unsafe { std::slice::from_raw_parts_mut(address.add(offset), length) })
}

/// The whole of a direct buffer, to write.
pub(crate) fn whole_output<'a>(env: &Env<'_>, buffer: &'a JByteBuffer<'_>) -> BridgeResult<&'a mut [u8]> {
    let capacity = i32::try_from(env.get_direct_buffer_capacity(buffer)?).unwrap_or(i32::MAX);
    output(env, buffer, 0, capacity)
}

fn range(
    env: &Env<'_>,
    buffer: &JByteBuffer<'_>,
    offset: i32,
    length: i32,
) -> BridgeResult<(*mut u8, usize, usize)> {
    let address = env.get_direct_buffer_address(buffer)?;
    let capacity = env.get_direct_buffer_capacity(buffer)?;
    match (usize::try_from(offset), usize::try_from(length)) {
        (Ok(offset), Ok(length)) if offset.checked_add(length).is_some_and(|end| end <= capacity) => {
            Ok((address, offset, length))
        }
        _ => Err(Error::new(
            ErrorKind::Bug,
            format!("buffer range {offset} + {length} lies outside a direct buffer of {capacity} bytes"),
        )
        .into()),
    }
}
