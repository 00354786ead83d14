//! The layers of docs/design/0033: which crate may use which. Cargo refuses circles alone, and most arrows upwards make none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each crate, and those that it may use. A new arrow is a decision: it changes this table and the picture in the page.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("env", &["base"]),
    ("cells", &["base"]),
    ("colfile", &["base", "cells"]),
    ("memtable", &["base", "cells"]),
    ("filter", &["base", "cells"]),
    ("cache", &["base", "colfile"]),
    ("wal", &["base", "cells", "env"]),
    ("store", &["base", "cells", "env", "colfile", "cache", "filter"]),
    ("columns", &["base", "cells", "store"]),
    ("inspect", &["base", "cells", "env", "colfile", "filter", "store", "wal"]),
    ("engine", &["base", "cells", "env", "filter", "memtable", "wal", "cache", "store"]),
    ("jni-bridge", &["base", "env", "filter", "store", "columns", "inspect", "engine"]),
    // Tools of tests.
    ("testkit", &["base", "cells", "colfile"]),
    ("fuzzing", &["base", "cells", "env", "cache", "filter", "wal", "store", "engine"]),
];

const PREFIX: &str = "grampus-";

/// The crates of this workspace that a manifest names as what its crate is made of: dependencies of tests are free.
fn uses(manifest: &str) -> BTreeSet<String> {
    let mut in_dependencies = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            in_dependencies = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
            // as [dependencies.grampus-base] would have it
            assert!(!line.contains("dependencies."), "a section for one dependency is not read here: {line}");
        } else if in_dependencies && let Some(name) = line.strip_prefix(PREFIX) {
            let end = name.find(|c: char| c != '-' && !c.is_ascii_alphanumeric()).unwrap_or(name.len());
            found.insert(name[..end].to_string());
        }
    }
    found
}

/// What the crates of a table use beyond it, and where the table says more than there is.
fn differences(used: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, uses) in used {
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            found.push(format!("{name} has no place among the layers"));
            continue;
        };
        let allowed: BTreeSet<String> = allowed.iter().map(|name| (*name).to_string()).collect();
        found.extend(uses.difference(&allowed).map(|other| format!("{name} may not use {other}")));
        found.extend(allowed.difference(uses).map(|other| format!("{name} does not use {other} any more")));
    }
    found
}

#[test]
fn no_crate_uses_one_that_is_not_below_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut used = BTreeMap::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let directory = entry.unwrap().path();
        let name = directory.file_name().unwrap().to_str().unwrap().to_string();
        used.insert(name, uses(&std::fs::read_to_string(directory.join("Cargo.toml")).unwrap()));
    }
    assert_eq!(used.len(), MAY_USE.len(), "{used:?}");
    assert_eq!(differences(&used), Vec::<String>::new());
}

#[test]
fn the_table_names_below_before_above() {
    let place = |name: &str| MAY_USE.iter().position(|(known, _)| *known == name).unwrap();
    for (name, below) in MAY_USE {
        for other in *below {
            assert!(place(other) < place(name), "{name} uses {other}");
        }
    }
}

#[test]
fn an_arrow_upwards_is_found_wherever_a_manifest_has_it() {
    let store = "[package]\nname = \"grampus-store\"\n[dependencies]\ngrampus-base.workspace = true\nserde = \"1\"\n\
                 [target.'cfg(unix)'.dependencies]\ngrampus-wal = { workspace = true }\n\
                 [dev-dependencies]\ngrampus-testkit.workspace = true\n";
    let found = uses(store);
    assert_eq!(found, BTreeSet::from(["base".to_string(), "wal".to_string()]));
    let said = differences(&BTreeMap::from([("store".to_string(), found)]));
    assert!(said.contains(&"store may not use wal".to_string()), "{said:?}");
    let other = differences(&BTreeMap::from([("extra".to_string(), BTreeSet::new())]));
    assert_eq!(other, ["extra has no place among the layers"]);
}
