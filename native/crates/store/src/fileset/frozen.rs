//! A list of files that does not change, such as a snapshot's manifest has for a family.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cache::{BlockCache, CacheRules};
use grampus_cells::RowOrder;
use grampus_env::Env;

use crate::FamilyConfig;
use crate::fileset::file_set::{StoreFiles, cache_rules, open_file, replaced};
use crate::fileset::name::FileName;
use crate::fileset::paths::StoreDir;
use crate::fileset::resolve::resolve_moved;

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
