//! From a name in the family directory to the file that holds the bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result};
use grampus_env::Env;

use crate::fileset::link::LinkName;
use crate::fileset::name::FileName;
use crate::fileset::paths::StoreDir;
use crate::fileset::reference::Clip;

/// The open file behind a name, and the part of it that counts.
pub(super) struct Resolved {
    pub(super) file: Arc<dyn RandomRead>,
    pub(super) clip: Clip,
    /// The content of the reference file, for a reference.
    pub(super) reference: Option<Vec<u8>>,
}

pub(super) fn resolve(env: &dyn Env, dir: &StoreDir, name: &FileName, text: &str) -> Result<Resolved> {
    let places = match name {
        FileName::Own(hfile) => vec![dir.family_dir().join(hfile)],
        FileName::Reference { hfile, parent } => {
            let parent = dir.sibling(&dir.namespace, &dir.table, parent);
            vec![parent.family_dir().join(hfile), parent.archive_dir().join(hfile)]
        }
        FileName::Link(link) | FileName::LinkReference { link, .. } => link_places(dir, link),
    };
    let reference = if name.is_reference() { Some(read_reference(env, dir, text)?) } else { None };
    let clip = match &reference {
        Some(bytes) => Clip::from_reference(bytes, text)?,
        None => Clip::default(),
    };
    Ok(Resolved { file: open_first(env, text, &places)?, clip, reference })
}

/// A linked file moves from `data` to `archive` while it is linked; the master's `.tmp` holds it for a moment.
pub(super) fn link_places(dir: &StoreDir, link: &LinkName) -> Vec<PathBuf> {
    homes(&dir.sibling(&link.namespace, &link.table, &link.region), &link.hfile)
}

pub(super) fn homes(home: &StoreDir, hfile: &str) -> Vec<PathBuf> {
    [home.family_dir(), home.master_tmp_dir(), home.archive_dir()].map(|d| d.join(hfile)).to_vec()
}

fn read_reference(env: &dyn Env, dir: &StoreDir, text: &str) -> Result<Vec<u8>> {
    let path = dir.family_dir().join(text);
    env.read(&path).map_err(|e| Error::io("read reference", &path, e))
}

fn open_first(env: &dyn Env, text: &str, places: &[PathBuf]) -> Result<Arc<dyn RandomRead>> {
    find(env, places)?.ok_or_else(|| {
        let message = format!("the file behind {text} is missing; looked for {}", listed(places));
        Error::new(ErrorKind::Io, message)
    })
}

/// Opens a file in the first of its places where it is.
pub(super) fn find(env: &dyn Env, places: &[PathBuf]) -> Result<Option<Arc<dyn RandomRead>>> {
    first(places, "open", |place| env.open(place))
}

/// What is found first of one file's places; `None` when it is nowhere.
pub(super) fn first<T>(
    places: &[PathBuf],
    action: &str,
    find: impl Fn(&Path) -> std::io::Result<T>,
) -> Result<Option<T>> {
    // The file may be moved on while we look: a second round finds it where it went.
    for place in places.iter().chain(places) {
        match find(place) {
            Ok(found) => return Ok(Some(found)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::io(action, place, e)),
        }
    }
    Ok(None)
}

pub(super) fn listed(places: &[PathBuf]) -> String {
    let places: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
    places.join(", ")
}
