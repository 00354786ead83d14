//! What kind of place a directory is, and how it renames.

use std::io;
use std::path::{Path, PathBuf};

use super::not_found;
use super::tree::Tree;

/// Places of a file system that are not like the rest of it. They outlive crashes.
#[derive(Clone, Debug, Default)]
pub struct Mounts {
    /// What is below this directory is on another device: nothing is renamed across its border.
    pub other_device: Option<PathBuf>,
    /// Below this directory no name comes, goes or changes.
    pub read_only: Option<PathBuf>,
    /// Files are renamed as on NFS: the new name comes first, then the old one goes.
    pub renames_by_links: bool,
}

impl Mounts {
    /// Refuses a change of a name that may not change.
    pub(super) fn check_change(&self, path: &Path) -> io::Result<()> {
        match &self.read_only {
            Some(dir) if path.starts_with(dir) => Err(io::ErrorKind::ReadOnlyFilesystem.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn check_rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check_change(from)?;
        self.check_change(to)?;
        match &self.other_device {
            Some(dir) if from.starts_with(dir) != to.starts_with(dir) => {
                Err(io::ErrorKind::CrossesDevices.into())
            }
            _ => Ok(()),
        }
    }
}

impl Tree {
    /// Refuses a rename onto something, or of nothing, or to nowhere.
    pub(super) fn check_rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.has(to) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists", to.display())));
        }
        if !self.has(from) || !self.has_dir(&super::parent(to)) {
            return Err(not_found(from));
        }
        Ok(())
    }
}
