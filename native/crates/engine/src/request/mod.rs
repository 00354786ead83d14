//! Requests from across the boundary: decoders that trust no length. The encodings are in `docs/jni.md`.

pub mod mutation;
pub mod read_spec;

pub use mutation::{Batch, Condition, Op, OpBody};
pub use read_spec::{FamilySpec, ReadSpec};
