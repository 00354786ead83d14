//! Structs of Arrow's C data interface, where another language finds them.

use std::ptr::NonNull;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::Schema;
use grampus_base::{Error, ErrorKind, Result};

/// A struct of Arrow's C data interface at an address that stays the same. Its consumer reads it there, or moves it away as the interface says: it
/// copies the bytes and sets `release` to null. What is still there at the drop is released.
pub struct ArrowStruct(Kind);

enum Kind {
    Batch(Placed<FFI_ArrowArray>),
    Schema(Placed<FFI_ArrowSchema>),
}

impl ArrowStruct {
    /// An `ArrowArray` of a struct whose children are the batch's columns.
    pub(crate) fn of_batch(batch: RecordBatch) -> ArrowStruct {
        let columns = StructArray::from(batch).into_data();
        ArrowStruct(Kind::Batch(Placed::new(FFI_ArrowArray::new(&columns))))
    }

    /// An `ArrowSchema` of a struct whose fields are the schema's.
    pub(crate) fn of_schema(schema: &Schema) -> Result<ArrowStruct> {
        let exported = FFI_ArrowSchema::try_from(schema).map_err(|e| {
            Error::new(ErrorKind::BadRequest, format!("the columns have no form of the C interface: {e}"))
        })?;
        Ok(ArrowStruct(Kind::Schema(Placed::new(exported))))
    }

    /// Where it is; never 0.
    pub fn address(&self) -> usize {
        match &self.0 {
            Kind::Batch(batch) => batch.0.addr().get(),
            Kind::Schema(schema) => schema.0.addr().get(),
        }
    }
}

/// A value of its own allocation that others than Rust may read and write, so that no reference to it is kept.
struct Placed<T>(NonNull<T>);

impl<T> Placed<T> {
    fn new(value: T) -> Placed<T> {
        let address = Box::into_raw(Box::new(value));
        address.expose_provenance(); // its consumer has the address as a number
        // SAFETY: the address of a box is not null.
        Placed(unsafe { NonNull::new_unchecked(address) })
    }
}

impl<T> Drop for Placed<T> {
    fn drop(&mut self) {
        // SAFETY: the address is that of the box in `new`, which nothing else frees: a consumer may empty the struct, and may not free its place.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

// SAFETY: a box may go to another thread when its value may; both structs say so of themselves, and their release functions may run on any thread.
unsafe impl<T: Send> Send for Placed<T> {}
// SAFETY: a shared reference gives the address alone.
unsafe impl<T: Send> Sync for Placed<T> {}
