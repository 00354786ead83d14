//! The document of a directory: every store file and log segment below it, verified.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grampus_base::{Error, Result};
use grampus_env::{DirEntry, Env};
use serde_json::{Value, json};

use super::kind::{self, Kind};
use super::{Scope, column_file, log_segment};

/// The master keeps its own region here, in files that HBase wrote.
const MASTER_STORE: &str = "MasterData";
/// Files that are not complete, and those of tables that the master is making or deleting.
const UNFINISHED: &str = ".tmp";

/// Verifies everything below a directory whose entries are given. Directories and files whose name begins with a dot hold neither
/// store files nor logs and are passed over, but for unfinished files, which are named.
pub(super) fn document(env: &dyn Env, path: &Path, entries: Vec<DirEntry>) -> Result<Value> {
    let mut walk = Walk { env, files: Vec::new(), summary: Summary::default() };
    let in_logs = path.iter().any(kind::is_log_directory);
    walk.entries(path, entries, in_logs);
    Ok(json!({
        "path": path.display().to_string(),
        "kind": "directory",
        "files": walk.files,
        "summary": walk.summary.document(),
        "verified": true,
    }))
}

#[derive(Default)]
struct Summary {
    column_files: Sum,
    log_segments: Sum,
    rows: u64,
    records: u64,
    torn: u64,
    skipped: u64,
    damaged: u64,
}

#[derive(Default)]
struct Sum {
    files: u64,
    bytes: u64,
    cells: u64,
}

impl Summary {
    fn add(&mut self, kind: &Kind, bytes: u64, document: &Value) {
        let number = |key: &str| document[key].as_u64().unwrap_or(0);
        self.damaged += u64::from(!document["damage"].is_null());
        self.skipped += u64::from(!document["skipped"].is_null());
        self.torn += u64::from(document["end"] == "torn");
        let sum = match kind {
            Kind::ColumnFile => &mut self.column_files,
            Kind::LogSegment => &mut self.log_segments,
            Kind::Skipped { .. } | Kind::Unknown => return,
        };
        sum.files += 1;
        sum.bytes += bytes;
        sum.cells += number("cells");
        self.rows += number("rows");
        self.records += number("records");
    }

    fn document(&self) -> Value {
        let (files, logs) = (&self.column_files, &self.log_segments);
        json!({
            "columnFiles": {"files": files.files, "bytes": files.bytes, "rows": self.rows, "cells": files.cells},
            "logSegments": {"files": logs.files, "bytes": logs.bytes, "records": self.records, "cells": logs.cells},
            "torn": self.torn,
            "skipped": self.skipped,
            "damaged": self.damaged,
        })
    }
}

struct Walk<'a> {
    env: &'a dyn Env,
    files: Vec<Value>,
    summary: Summary,
}

impl Walk<'_> {
    fn entries(&mut self, dir: &Path, entries: Vec<DirEntry>, in_logs: bool) {
        for entry in entries {
            let path = dir.join(&entry.name);
            match entry.name.as_str() {
                MASTER_STORE if entry.is_dir => {
                    self.skip_tree(&path, "masterStore", "the master's own store")
                }
                UNFINISHED if entry.is_dir => self.skip_tree(&path, "unfinished", "not finished"),
                name if name.starts_with('.') => {}
                name if entry.is_dir => {
                    let in_logs = in_logs || kind::is_log_directory(name.as_ref());
                    self.directory(&path, in_logs);
                }
                // Empty files are known by their name alone; others without content, like sockets, are not opened.
                _ if entry.len == 0 && kind::of_name(&path, in_logs) == Kind::Unknown => {}
                _ => self.file(&path, in_logs),
            }
        }
    }

    fn directory(&mut self, path: &Path, in_logs: bool) {
        match self.env.list(path) {
            Ok(entries) => self.entries(path, entries, in_logs),
            Err(e) if e.kind() == ErrorKind::NotFound => {} // a running server has moved it on
            Err(e) => {
                let document = json!({"damage": Error::io("list", path, e).message});
                self.push(path, &Kind::Unknown, 0, document);
            }
        }
    }

    fn file(&mut self, path: &Path, in_logs: bool) {
        let source = match self.env.open(path) {
            Ok(source) => source,
            Err(e) if e.kind() == ErrorKind::NotFound => {
                let why = "a running server has moved it on".to_string();
                let gone = Kind::Skipped { name: "gone", why };
                return self.push_skipped(path, &gone, 0);
            }
            Err(e) => {
                let document = json!({"damage": Error::io("open", path, e).message});
                return self.push(path, &Kind::Unknown, 0, document);
            }
        };
        let bytes = source.len();
        let kind = match kind::of(source.as_ref(), path, in_logs) {
            Ok(kind) => kind,
            Err(e) if e.source.as_ref().is_some_and(|e| e.kind() == ErrorKind::IsADirectory) => {
                return self.directory(path, in_logs); // a symbolic link to one
            }
            Err(e) => return self.push(path, &Kind::Unknown, bytes, json!({"damage": e.message})),
        };
        let found = match &kind {
            Kind::Unknown => return,
            Kind::Skipped { .. } => return self.push_skipped(path, &kind, bytes),
            Kind::ColumnFile => column_file::verified(&source),
            Kind::LogSegment => self.segment(path),
        };
        let document = found.unwrap_or_else(|e| json!({"damage": e.message}));
        self.push(path, &kind, bytes, document);
    }

    /// What a walk says about a segment: the document without its regions.
    fn segment(&self, path: &Path) -> Result<Value> {
        let whole = log_segment::document(self.env, path, &Scope::default())?;
        let keys = ["records", "cells", "end", "goodBytes"];
        Ok(keys
            .into_iter()
            .map(|key| (key.to_string(), whole[key].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into())
    }

    /// Names a directory whose files are not looked at, if it has any.
    fn skip_tree(&mut self, path: &Path, name: &'static str, what: &str) {
        let (files, bytes) = self.count(path.to_path_buf());
        if files > 0 {
            let why = format!("{what}: {files} files");
            self.push_skipped(path, &Kind::Skipped { name, why }, bytes);
        }
    }

    fn count(&self, dir: PathBuf) -> (u64, u64) {
        let (mut files, mut bytes, mut waiting) = (0, 0, vec![dir]);
        while let Some(dir) = waiting.pop() {
            // What cannot be listed is not looked at either.
            for entry in self.env.list(&dir).unwrap_or_default() {
                if entry.is_dir {
                    waiting.push(dir.join(&entry.name));
                } else {
                    files += 1;
                    bytes += entry.len;
                }
            }
        }
        (files, bytes)
    }

    fn push_skipped(&mut self, path: &Path, kind: &Kind, bytes: u64) {
        if let Kind::Skipped { why, .. } = kind {
            self.push(path, kind, bytes, json!({"skipped": why}));
        }
    }

    fn push(&mut self, path: &Path, kind: &Kind, bytes: u64, mut document: Value) {
        self.summary.add(kind, bytes, &document);
        document["path"] = json!(path.display().to_string());
        document["kind"] = json!(kind.name());
        document["bytes"] = json!(bytes);
        self.files.push(document);
    }
}
