//! The Rust half of the JNI boundary (`docs/jni.md`): exports, handles, buffers and the one place where errors and panics become Java
//! exceptions. No logic lives here.
//!
//! `#[unsafe(no_mangle)]`: the exported names are those that JNI forms from Java's classes and methods; no other library has them.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod batch_stream_exports;
mod boundary;
mod buffers;
mod column_file_exports;
mod engine_exports;
mod engine_files_upcalls;
mod fence_upcalls;
mod file_check_exports;
mod file_upcalls;
mod frozen_exports;
mod frozen_scan;
mod frozen_scan_exports;
mod hadoop_env;
mod handles;
mod inspect_exports;
mod java_thread;
#[cfg(test)]
mod layouts;
mod overflow;
mod pattern_upcalls;
mod pieces_reply;
mod region_exports;
mod row_feed;
mod scanner_exports;
mod sink_file;
mod sink_upcalls;
mod stats_reply;
mod status;
mod stream_upcalls;
mod table_file_exports;
mod thread_exports;
mod upcalls;
