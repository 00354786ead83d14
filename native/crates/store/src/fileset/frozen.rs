//! A list of files that does not change, such as a snapshot's manifest has for a family.

use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::{BlockCache, CacheRules};
use grampus_cells::RowOrder;
use grampus_env::Env;

use crate::FamilyConfig;
use crate::fileset::file_set::{cache_rules, open_file, replaced};
use crate::fileset::moving_file::MovingFile;
use crate::fileset::name::FileName;
use crate::fileset::paths::StoreDir;
use crate::fileset::reference::Clip;
use crate::fileset::resolve::{Resolved, find, first, homes, link_places, listed};
use crate::fileset::store_files::StoreFiles;

/// A file as a list names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrozenFile {
    /// Its name in the family directory: a file, a link, or a reference to a part of another region's file.
    pub name: String,
    /// The content of the reference file, where the list has it: the file itself may be gone.
    pub reference: Option<Vec<u8>>,
}

impl StoreFiles {
    /// Opens the files of a list, for reads alone: nothing is written, renamed or deleted.
    pub(crate) fn frozen(
        env: &Arc<dyn Env>,
        cache: &Arc<BlockCache>,
        dir: &StoreDir,
        list: &[FrozenFile],
        config: &FamilyConfig,
        order: RowOrder,
    ) -> Result<StoreFiles> {
        let mut files = StoreFiles::default();
        for file in list {
            let name = FileName::parse(&file.name).ok_or_else(|| {
                Error::new(ErrorKind::BadRequest, format!("{} is no name of a store file", file.name))
            })?;
            if file.reference.is_some() && !name.is_reference() {
                let message = format!("{} is no reference, and the list has the content of one", file.name);
                return Err(Error::new(ErrorKind::BadRequest, message));
            }
            if files.files.iter().any(|known| known.name() == file.name) {
                let message = format!("the list has {} twice, so that its cells would come twice", file.name);
                return Err(Error::new(ErrorKind::BadRequest, message));
            }
            let resolved = resolve_moved(env, dir, &name, file)?;
            let opened = open_file(
                cache,
                // The cache is the readers' own, whatever the family wants of a server's.
                CacheRules { data: true, ..cache_rules(config) },
                order,
                file.name.clone(),
                name,
                resolved.file,
                resolved.clip,
            )?;
            files.files.push(Arc::new(opened));
        }
        // A list that was read from a directory may have an output beside inputs that were not archived yet.
        let replaced = replaced(&files.files);
        files.files.retain(|file| !replaced.iter().any(|name| name == file.name()));
        files.sort();
        Ok(files)
    }
}

/// From the name of a file in a list to what holds its bytes: it may have moved since the list was made, as a linked file does.
fn resolve_moved(env: &Arc<dyn Env>, dir: &StoreDir, name: &FileName, file: &FrozenFile) -> Result<Resolved> {
    let places = match name {
        FileName::Own(hfile) => homes(dir, hfile),
        FileName::Reference { hfile, parent } => {
            homes(&dir.sibling(&dir.namespace, &dir.table, parent), hfile)
        }
        FileName::Link(link) | FileName::LinkReference { link, .. } => link_places(dir, link),
    };
    let reference = match &file.reference {
        None if name.is_reference() => Some(read_moved_reference(&**env, dir, &file.name)?),
        reference => reference.clone(),
    };
    let clip = match &reference {
        Some(bytes) => Clip::from_reference(bytes, &file.name)?,
        None => Clip::default(),
    };
    let opened = find(&**env, &places)?;
    let opened = opened.ok_or_else(|| gone(&format!("the file behind {}", file.name), &places))?;
    Ok(Resolved { file: Arc::new(MovingFile::new(env, places, opened)), clip, reference })
}

/// What a file of a list says that is nowhere.
fn gone(what: &str, places: &[PathBuf]) -> Error {
    let message = format!(
        "{what} is missing; looked for {}. Make the list anew: the archive keeps what a snapshot names, and nothing else for long",
        listed(places)
    );
    Error::new(ErrorKind::Io, message)
}

/// The content of a reference file, which leaves for the archive when a compaction has replaced it.
fn read_moved_reference(env: &dyn Env, dir: &StoreDir, text: &str) -> Result<Vec<u8>> {
    let places = homes(dir, text);
    let found = first(&places, "read reference", |place| env.read(place))?;
    found
        .ok_or_else(|| gone(&format!("the reference {text}, whose content the list does not have,"), &places))
}
