//! Modules of a crate use each other in one direction: no circle among modules that stand side by side. What a re-export names counts
//! where it is defined. Paths inside macros are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

type Module = Vec<String>;

/// The modules of a crate, the names that they export again, and the paths that they use.
#[derive(Default)]
struct Crate {
    modules: BTreeSet<Module>,
    exported: BTreeMap<Module, BTreeMap<String, Module>>,
    used: Vec<(Module, Module)>,
}

/// Collects what one file says.
struct Reader<'a> {
    of: &'a mut Crate,
    module: Module,
}

impl Reader<'_> {
    /// A path from the root of the crate; `None` for one of another crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let mut at = match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" | "super" => self.module.clone(),
            first => {
                let mut child = self.module.clone();
                child.push(first.to_string());
                return self.of.modules.contains(&child).then(|| [&self.module, path].concat());
            }
        };
        let mut rest = path;
        while let Some(first) = rest.first().filter(|first| *first == "self" || *first == "super") {
            if first == "super" {
                at.pop();
            }
            rest = &rest[1..];
        }
        Some([at.as_slice(), rest].concat())
    }

    fn paths(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                Self::paths(&path.tree, before, found);
                before.pop();
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let mut path = before.clone();
                if name != "self" {
                    path.push(name.clone());
                }
                found.push((path, name));
            }
            UseTree::Rename(rename) => {
                let mut path = before.clone();
                path.push(rename.ident.to_string());
                found.push((path, rename.rename.to_string()));
            }
            UseTree::Glob(_) => found.push((before.clone(), String::new())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| Self::paths(tree, before, found)),
        }
    }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_of_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            self.of.modules.insert(self.module.clone());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        Self::paths(&item.tree, &mut Vec::new(), &mut found);
        for (path, name) in found {
            let Some(path) = self.absolute(&path) else { continue };
            if !matches!(item.vis, Visibility::Inherited) && !name.is_empty() {
                self.of.exported.entry(self.module.clone()).or_default().insert(name, path.clone());
            }
            self.of.used.push((self.module.clone(), path));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1
            && path.leading_colon.is_none()
            && let Some(path) = self.absolute(&names)
        {
            self.of.used.push((self.module.clone(), path));
        }
        visit::visit_path(self, path);
    }
}

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The module of a file; `None` for tests and programs.
fn module(source: &Path, file: &Path) -> Option<Module> {
    let path = file.strip_prefix(source).unwrap().with_extension("");
    let mut names: Module = path.iter().map(|name| name.to_str().unwrap().to_string()).collect();
    if names.iter().any(|name| name.ends_with("tests") || name == "bin") {
        return None;
    }
    if names.last().is_some_and(|name| name == "mod" || name == "lib" || name == "main") {
        names.pop();
    }
    Some(names)
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let mut all = Vec::new();
        files(source, &mut all);
        let files: Vec<(PathBuf, Module)> =
            all.into_iter().filter_map(|file| module(source, &file).map(|module| (file, module))).collect();
        let mut read =
            Crate { modules: files.iter().map(|(_, module)| module.clone()).collect(), ..Crate::default() };
        for (file, module) in files {
            let parsed = syn::parse_file(&std::fs::read_to_string(&file).unwrap()).unwrap();
            Reader { of: &mut read, module }.visit_file(&parsed);
        }
        read
    }

    /// The module that defines what a path names.
    fn home(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        for _ in 0..path.len() + 8 {
            let end = (0..=path.len()).rev().find(|end| self.modules.contains(&path[..*end])).unwrap_or(0);
            let (home, rest) = path.split_at(end);
            let next = rest.first().and_then(|name| self.exported.get(home)?.get(name));
            match next.map(|next| [next.as_slice(), &rest[1..]].concat()).filter(|next| *next != path) {
                Some(next) => path = next,
                None => return home.to_vec(),
            }
        }
        path
    }

    /// Which children of each module use which of their siblings.
    fn edges(&self) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
        let mut edges: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (user, path) in &self.used {
            let used = self.home(path);
            let same = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (user.get(same), used.get(same)) {
                let siblings = edges.entry(user[..same].to_vec()).or_default();
                siblings.entry(from.clone()).or_default().insert(to.clone());
            }
        }
        edges
    }
}

/// All that one name leads to.
fn reached(edges: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        for next in edges.get(name).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

/// The circles of a crate, as `place: names`.
fn circles(name: &str, read: &Crate) -> BTreeSet<String> {
    let mut circles = BTreeSet::new();
    for (parent, edges) in read.edges() {
        let leads: BTreeMap<&String, BTreeSet<String>> =
            edges.keys().map(|name| (name, reached(&edges, name))).collect();
        for (name_in, to) in &leads {
            if to.contains(*name_in) {
                let both = |other: &&String| leads.get(*other).is_some_and(|back| back.contains(*name_in));
                let members: Vec<&str> = to.iter().filter(both).map(String::as_str).collect();
                let place = [&[name.to_string()], parent.as_slice()].concat().join("::");
                circles.insert(format!("{place}: {}", members.join(" ")));
            }
        }
    }
    circles
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let directory = entry.unwrap().path();
        let source = directory.join("src");
        if source.is_dir() {
            let name = directory.file_name().unwrap().to_str().unwrap();
            found.extend(circles(name, &Crate::read(&source)));
        }
    }
    assert_eq!(found, BTreeSet::new(), "circles among modules");
}

#[test]
fn a_circle_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; mod c; pub use b::Thing;");
    write("a.rs", "use crate::Thing; fn f() { super::c::g() }");
    write("b.rs", "pub struct Thing; #[cfg(test)] mod tests { use crate::c; }");
    write("c.rs", "pub fn g() {}");
    assert_eq!(circles("some", &Crate::read(directory.path())), BTreeSet::new());
    write("b.rs", "pub struct Thing(super::a::Other);");
    assert_eq!(circles("some", &Crate::read(directory.path())), BTreeSet::from(["some: a b".to_string()]));
}
