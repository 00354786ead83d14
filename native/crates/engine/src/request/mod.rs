//! Requests from across the boundary: decoders that trust no length. The encodings are in `docs/jni.md`.

pub mod byte_reader;
pub mod cell_codec;
pub mod mutation;
pub mod read_spec;

pub use byte_reader::ByteReader;
pub use cell_codec::WireCell;
pub use mutation::{Batch, Condition, Durability, Op, OpBody};
pub use read_spec::{FamilySpec, ReadSpec};
