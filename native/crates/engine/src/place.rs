//! Places in requests.

use std::path::PathBuf;

use grampus_env::path_of;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A field that is a path or a URI; see [`path_of`].
pub(crate) fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    path_of(&String::deserialize(deserializer)?).map_err(|e| D::Error::custom(e.message))
}
