//! Names of files and directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::DirEntry;
use super::content::Content;

#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) files: BTreeMap<PathBuf, Arc<Content>>,
    pub(super) dirs: BTreeSet<PathBuf>,
}

impl Tree {
    /// Drops what lies in directories that are not there.
    pub(super) fn drop_unreachable(&mut self) {
        let dirs = std::mem::take(&mut self.dirs);
        let reachable =
            |path: &Path| path.ancestors().skip(1).all(|dir| dir == Path::new("/") || dirs.contains(dir));
        self.files.retain(|path, _| reachable(path));
        self.dirs = dirs.iter().filter(|path| reachable(path)).cloned().collect();
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        self.has_dir(path) || self.files.contains_key(path)
    }

    pub(super) fn has_dir(&self, path: &Path) -> bool {
        path == Path::new("/") || self.dirs.contains(path)
    }

    pub(super) fn children<'a>(&'a self, dir: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        self.files.keys().chain(self.dirs.iter()).filter(move |p| p.parent() == Some(dir))
    }

    pub(super) fn entry(&self, path: &Path) -> DirEntry {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let content = self.files.get(path);
        DirEntry { name, is_dir: content.is_none(), len: content.map_or(0, |c| c.lock().told() as u64) }
    }

    /// Gives a file a second name.
    pub(super) fn link(&mut self, from: &Path, to: &Path) {
        if let Some(content) = self.files.get(from).cloned() {
            self.files.insert(to.into(), content);
        }
    }

    /// How many names a file has.
    pub(super) fn names_of(&self, content: &Arc<Content>) -> u64 {
        self.files.values().filter(|other| Arc::ptr_eq(other, content)).count() as u64
    }

    /// Leaves what the medium has of each file.
    pub(super) fn keep_medium(&mut self, chance: impl Fn() -> u64) {
        let mut kept: Vec<(Arc<Content>, Arc<Content>)> = Vec::new();
        for content in self.files.values_mut() {
            let known =
                kept.iter().find(|(old, _)| Arc::ptr_eq(old, content)).map(|(_, new)| Arc::clone(new));
            let new = known.unwrap_or_else(|| Arc::new(content.on_medium(chance())));
            let old = std::mem::replace(content, Arc::clone(&new));
            kept.push((old, new));
        }
    }

    /// Moves a file, or a directory with all that is in it.
    pub(super) fn rename(&mut self, from: &Path, to: &Path) {
        let moved = |p: &Path| {
            p.strip_prefix(from)
                .ok()
                .map(|rest| if rest.as_os_str().is_empty() { to.into() } else { to.join(rest) })
        };
        self.files =
            std::mem::take(&mut self.files).into_iter().map(|(p, c)| (moved(&p).unwrap_or(p), c)).collect();
        self.dirs = std::mem::take(&mut self.dirs).into_iter().map(|p| moved(&p).unwrap_or(p)).collect();
    }

    /// Takes over what `live` has in a directory now.
    pub(super) fn sync_dir(&mut self, live: &Tree, dir: &Path) {
        let in_dir = |tree: &Tree| -> Vec<(PathBuf, Arc<Content>)> {
            tree.files
                .iter()
                .filter(|(p, _)| p.parent() == Some(dir))
                .map(|(p, c)| (p.clone(), c.clone()))
                .collect()
        };
        // A rename is one step of a journal: it is durable as a whole once either directory is synced.
        let (names, left) = (in_dir(live), in_dir(self));
        let has_still = |p: &Path, c: &Arc<Content>| live.files.get(p).is_some_and(|l| Arc::ptr_eq(l, c));
        self.files.retain(|p, c| !names.iter().any(|(_, n)| Arc::ptr_eq(c, n)) || has_still(p, c));
        self.files.retain(|p, _| p.parent() != Some(dir));
        self.files.extend(names);
        for (path, content) in live.files.iter().filter(|(_, c)| left.iter().any(|(_, l)| Arc::ptr_eq(l, c)))
        {
            self.files.insert(path.clone(), content.clone());
            self.dirs.extend(path.ancestors().skip(1).map(Path::to_path_buf));
        }
        self.sync_dirs_in(live, dir);
    }

    fn sync_dirs_in(&mut self, live: &Tree, dir: &Path) {
        let is_child = |path: &PathBuf| path.parent() == Some(dir);
        let dirs: Vec<PathBuf> = live.dirs.iter().filter(|path| is_child(path)).cloned().collect();
        // What lay in a directory that is gone does not come back with another one of its name.
        let gone: Vec<PathBuf> =
            self.dirs.iter().filter(|path| is_child(path) && !dirs.contains(path)).cloned().collect();
        let is_gone = |path: &Path| gone.iter().any(|dir| path.starts_with(dir));
        self.files.retain(|path, _| !is_gone(path));
        self.dirs.retain(|path| !is_gone(path));
        self.dirs.extend(dirs);
    }
}
