//! Merging column files into fewer: what to merge ([policy](crate::policy)), how (`merge`), what stays (`retention`), and the job that
//! does it (`job`).

mod job;
mod merge;
mod picker;
mod retention;

#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod tests;

pub use job::{Compaction, CompactionProgress, CompactionReport};
pub use picker::{Picked, pick};
pub use retention::{Retention, RetentionRules};
