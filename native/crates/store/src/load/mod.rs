//! Files that others wrote and a region takes over, those of all its families together or none.
//!
//! They pass through a directory of the load in `<region>/.load`, which is there as long as a load is under way
//! ([docs/format/load.md](../../../../docs/format/load.md)):
//!
//! 1. The record `moving` says where each file comes from. Then they are moved in, or copied. An open of the region that finds this state
//!    moves them back.
//! 2. The record is renamed to `committed.<sequence id>`: this is the moment of the load. An open that finds this state moves the files on.
//! 3. The files are moved into the family directories, and the record goes.
//!
//! A server that finds such a directory renames it first. From then on its owner, which may live and not know that it has lost the
//! region, does nothing in it any more. So a crash at any step leaves a region with all files of the load or with none, and never a
//! file that is nowhere.

mod check;
mod copying;
mod record;
mod recovery;
mod stage;
mod unreturned;
mod writer;

pub use check::{CheckedFile, LoadBounds, check_content, check_source};
pub use record::{LoadFile, decode_record};
pub use recovery::{LoadRecovery, Openings, recover};
pub use stage::{CommittedLoad, FailedLoad, StagedLoad, UncertainLoad};
pub use unreturned::set_aside;
pub use writer::{ExternalFile, ExternalFileRequest, WrittenFile};
