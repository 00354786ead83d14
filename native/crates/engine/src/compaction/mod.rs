//! Merging column files into fewer: what to merge ([`policy`]), how ([`merge`]), what stays ([`retention`]), and the job that
//! does it ([`job`]).

pub mod job;
pub mod merge;
pub mod picker;
pub mod policy;
pub mod retention;

#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod tests;

pub use job::{Compaction, CompactionReport, Progress};
pub use picker::pick;
pub use policy::{CompactionKind, CompactionPolicy, Decision, ExploringPolicy, FileFact, Selection};
pub use retention::{Retention, RetentionRules};
