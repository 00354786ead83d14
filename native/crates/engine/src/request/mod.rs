//! Requests from across the boundary: decoders that trust no length. The encodings are in `docs/jni.md`.

pub mod mutation;

pub use mutation::{Batch, Condition, Op, OpBody};
