//! Places in requests.

use std::path::PathBuf;

use grampus_env::place_of;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A field that is a path or a URI; see [`place_of`]. Whether the environment has it is asked apart: `Env::check_place`.
pub(crate) fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    place_of(&String::deserialize(deserializer)?).map_err(|e| D::Error::custom(e.message))
}

/// The same of a field that may be missing.
pub(crate) fn optional_place<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PathBuf>, D::Error> {
    place(deserializer).map(Some)
}
