//! A store: one column family of one region.

pub mod family;

pub use family::{BloomKind, Compression, FamilyConfig, KeepDeleted};
