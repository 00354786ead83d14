//! What the files of a root directory consist of and whether they are sound, as JSON, for `bin/grampus inspect`
//! (`docs/inspect.md`). It reads only, takes no locks and trusts no byte, so it works beside a running server.
//!
//! A damaged or unreadable file is a document with the key `damage`, a sentence that names file and offset. An error is only what
//! concerns the request: an unknown path, or one that is no file of HBase's layout.

#![cfg_attr(
    not(test),
    deny(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::disallowed_methods)
)]

mod binary;
mod cells;
mod column_file;
mod directory;
mod frozen;
mod kind;
mod log_segment;

use std::path::Path;

pub use frozen::print_frozen;
use grampus_base::{Error, ErrorKind, Result, from_hex};
use grampus_env::{Env, LocalEnv, path_of};
use kind::Kind;
use serde::Deserialize;
use serde_json::{Value, json};

/// `inspect` of `docs/jni.md`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    path: String,
    cells: Option<u64>,
    row: Option<String>,
    #[serde(default)]
    verify: bool,
}

/// What to read and to show of a file.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// The most cells to print.
    cells: Option<u64>,
    /// Print cells of this row only.
    row: Option<Vec<u8>>,
    /// Read and check everything.
    verify: bool,
}

/// Looks at a file or at everything below a directory of the local disks: a JSON request to a JSON document.
pub fn inspect(request_json: &str) -> Result<String> {
    inspect_in(&LocalEnv::new(), request_json)
}

/// The same in an environment.
pub fn inspect_in(env: &dyn Env, request_json: &str) -> Result<String> {
    let bad = |e| Error::new(ErrorKind::BadRequest, format!("inspect: {e}"));
    let request: Request = serde_json::from_str(request_json).map_err(bad)?;
    let row = request.row.as_deref().map(|row| from_hex(row, "the row")).transpose()?;
    let scope = Scope { cells: request.cells, row, verify: request.verify };
    Ok(document(env, &path_of(&request.path)?, &scope)?.to_string())
}

fn document(env: &dyn Env, path: &Path, scope: &Scope) -> Result<Value> {
    match env.list(path) {
        Ok(_) if scope.cells.is_some() => Err(Error::new(
            ErrorKind::BadRequest,
            format!("{} is a directory; cells are shown of files", path.display()),
        )),
        Ok(entries) => directory::document(env, path, entries),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(Error::io("open", path, e)),
        Err(_) => file(env, path, scope),
    }
}

fn file(env: &dyn Env, path: &Path, scope: &Scope) -> Result<Value> {
    let source = env.open(path).map_err(|e| Error::io("open", path, e))?;
    let in_logs = path.parent().is_some_and(|dir| dir.iter().any(kind::is_log_directory));
    let (kind, bytes) = (kind::of(source.as_ref(), path, in_logs)?, source.len());
    let found = match &kind {
        Kind::ColumnFile => column_file::document(&source, scope),
        Kind::LogSegment => log_segment::document(env, path, scope),
        Kind::Skipped { why, .. } => Ok(json!({ "skipped": why })),
        Kind::Unknown => {
            return Err(Error::new(
                ErrorKind::BadRequest,
                format!("{} is neither a column file nor a log segment", path.display()),
            ));
        }
    };
    let mut document = found.unwrap_or_else(|e| json!({ "damage": e.message }));
    if let Some(fields) = document.as_object_mut() {
        fields.insert("path".to_string(), json!(path.display().to_string()));
        fields.insert("kind".to_string(), json!(kind.name()));
        fields.insert("bytes".to_string(), json!(bytes));
    }
    Ok(document)
}
