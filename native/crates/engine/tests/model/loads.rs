//! Files of both families that the region takes over.

use std::path::{Path, PathBuf};

use grampus_base::ErrorKind;
use grampus_env::Env;
use grampus_testkit::wire::Cell;
use serde_json::{Value, json};

use crate::common::external::{file_of, hex};
use crate::common::until;
use crate::world::World;

const OUT: &str = "/out";

impl World {
    pub(crate) fn load(&mut self) {
        let mut cells: Vec<Cell> = Vec::new();
        for _ in 0..=self.random.below(8) {
            let row = self.row();
            cells.push(self.put_cell(&row));
        }
        // As in a file: by column, newer versions first, and each version once.
        cells.sort_by(|a, b| {
            let key = |c: &Cell| {
                (c.row.clone(), c.family.clone(), c.qualifier.clone(), std::cmp::Reverse(c.timestamp))
            };
            key(a).cmp(&key(b))
        });
        cells.dedup_by(|a, b| {
            (&a.row, &a.family, &a.qualifier, a.timestamp) == (&b.row, &b.family, &b.qualifier, b.timestamp)
        });
        let copy = self.random.one_in(3);
        let mut files = Vec::new();
        for family in ["deep", "flat"] {
            let own: Vec<Cell> = cells.iter().filter(|c| c.family == family.as_bytes()).cloned().collect();
            if !own.is_empty() {
                files.push(self.file(family, &own));
            }
        }
        let request = json!({"files": files, "copy": copy, "verify": self.random.one_in(2)}).to_string();
        let reply: Value = serde_json::from_str(&self.load_files(&request)).unwrap();
        assert_eq!(reply["files"].as_array().unwrap().len(), files.len());
        let path = |file: &Value| PathBuf::from(file["path"].as_str().unwrap());
        assert!(files.iter().all(|file| self.env.exists(&path(file)).unwrap() == copy));
        if self.random.one_in(2) {
            // A reply is lost.
            self.load_files(&request);
        }
        self.write_all(cells);
    }

    /// Once compactions have made room for more files, which they do on threads of their own.
    fn load_files(&self, request: &str) -> String {
        let mut reply = None;
        until("room for the files of a load", || match self.region.load_files(request, &|| Ok(())) {
            Err(e) if e.kind == ErrorKind::Busy => false,
            outcome => {
                reply = Some(outcome.unwrap());
                true
            }
        });
        reply.unwrap()
    }

    fn file(&mut self, family: &str, cells: &[Cell]) -> Value {
        let name = grampus_env::new_file_name(&self.env);
        let path = Path::new(OUT).join(&name);
        self.env.mkdir_durably(Path::new(OUT)).unwrap();
        let mut file = self.env.create(&path).unwrap();
        file.append(&file_of(family, cells)).unwrap();
        file.close().unwrap();
        json!({"family": hex(family), "path": path, "name": name})
    }
}
