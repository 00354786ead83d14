//! One family's files without a server: which there are, how they are written, merged and read, and what of their cells a client may see.
//!
//! Layers, each of which uses those before it: the [policy](policy) that decides what to compact, [`FamilyConfig`], the [file set](fileset),
//! [reads](read), [flushes](flush), [loads](load) and [compactions](compaction). Nothing here knows a log, a memtable or a region.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

pub mod compaction;
mod family;
mod family_request;
pub mod fileset;
pub mod flush;
mod frozen;
pub mod load;
pub mod policy;
pub mod read;

pub use family::{BloomKind, Compression, FamilyConfig, KeepDeleted};
pub use family_request::FamilyRequest;
pub use frozen::{
    FamilyColumns, FrozenBounds, FrozenExtent, FrozenFiles, FrozenLimits, FrozenPlace, FrozenReads,
    FrozenRegion, FrozenRequest, FrozenRows, FrozenScan, FrozenStore,
};
