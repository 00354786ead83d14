//! The Rust half of the JNI boundary (`docs/jni.md`): exports, handles, buffers and the one place where errors and panics become Java
//! exceptions. No logic lives here.

mod boundary;
mod buffers;
mod engine_exports;
mod handles;
mod region_exports;
mod scanner_exports;
mod status;
