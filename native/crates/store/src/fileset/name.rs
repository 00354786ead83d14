//! The three kinds of names in a family directory, as HBase's `StoreFileInfo` and `HFileLink` define them.

use crate::fileset::hfile_name::{LOADED, is_hfile, loaded_name};
use crate::fileset::link::LinkName;

/// What a file name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileName {
    /// A store file itself.
    Own(String),
    /// `<table>=<region>-<hfile>`: a file of another table or region.
    Link(LinkName),
    /// `<hfile>.<parent>`: a part of a file of the parent region.
    Reference {
        /// The file's name in the parent.
        hfile: String,
        /// The parent's encoded name.
        parent: String,
    },
    /// `<link>.<parent>`: a part of a linked file.
    LinkReference {
        /// The link that the parent had.
        link: LinkName,
        /// The parent's encoded name.
        parent: String,
    },
}

impl FileName {
    /// Understands a name; `None` for one that is no store file's.
    pub fn parse(name: &str) -> Option<FileName> {
        // A table name may hold dots, a parent's encoded name may not: the last dot counts, after any link.
        if let Some((target, parent)) = name.rsplit_once('.').filter(|(_, parent)| is_parent(parent)) {
            let parent = parent.to_string();
            if let Some(link) = LinkName::parse(target) {
                return Some(FileName::LinkReference { link, parent });
            }
            if is_hfile(target) {
                return Some(FileName::Reference { hfile: target.to_string(), parent });
            }
        }
        match LinkName::parse(name) {
            Some(link) => Some(FileName::Link(link)),
            None => is_hfile(name).then(|| FileName::Own(name.to_string())),
        }
    }

    /// The name of the file that holds the bytes, wherever it is.
    pub fn hfile(&self) -> &str {
        match self {
            FileName::Own(hfile) | FileName::Reference { hfile, .. } => hfile,
            FileName::Link(link) | FileName::LinkReference { link, .. } => &link.hfile,
        }
    }

    /// The sequence id that a bulk load gave the file, which its name carries: that of every cell in it.
    pub(crate) fn loaded_sequence(&self) -> Option<u64> {
        loaded_name(self.hfile()).and_then(|(_, digits)| digits.parse().ok())
    }

    /// The name of a file that is loaded with a sequence id, HBase's `<hex>_SeqId_<id>_`.
    pub fn loaded(hex: &str, sequence: u64) -> String {
        format!("{hex}{LOADED}{sequence}_")
    }

    /// The name before its sequence id under which the file was loaded whose bytes these are, wherever they are now.
    pub(crate) fn loaded_as(&self) -> Option<&str> {
        loaded_name(self.hfile()).map(|(name, _)| name)
    }

    /// True for a file that holds a part of another region's file.
    pub fn is_reference(&self) -> bool {
        self.parent().is_some()
    }

    /// The encoded name of the region of whose file this is a part.
    pub fn parent(&self) -> Option<&str> {
        match self {
            FileName::Reference { parent, .. } | FileName::LinkReference { parent, .. } => Some(parent),
            FileName::Own(_) | FileName::Link(_) => None,
        }
    }
}

fn is_parent(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let link = || LinkName {
            namespace: "default".into(),
            table: "t-1.x".into(),
            region: "0a".into(),
            hfile: "ff_SeqId_4_".into(),
        };
        assert_eq!(FileName::parse("0123abcdef"), Some(FileName::Own("0123abcdef".into())));
        assert_eq!(
            FileName::parse("ab.cd"),
            Some(FileName::Reference { hfile: "ab".into(), parent: "cd".into() })
        );
        assert_eq!(FileName::parse("ns=t=0a-ff").map(|n| n.hfile().to_string()), Some("ff".into()));
        assert_eq!(LinkName::parse("t-1.x=0a-ff_SeqId_4_"), Some(link()));
        assert_eq!(FileName::parse("t=0a-ff.99").map(|n| n.is_reference()), Some(true));
        for bad in ["", ".hidden", "xyz", "ab_SeqId__", "ab-cd", "t=zz-ff", "ab."] {
            assert_eq!(FileName::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_name_of_a_loaded_file_has_its_sequence_id_wherever_it_is() {
        let name = FileName::loaded("0a1b", 42);
        assert_eq!(name, "0a1b_SeqId_42_");
        for text in [name.clone(), format!("{name}.99"), format!("t=0c-{name}"), format!("t=0c-{name}.99")] {
            let name = FileName::parse(&text).unwrap();
            assert_eq!(name.loaded_sequence(), Some(42), "{text}");
            assert_eq!(name.loaded_as(), Some("0a1b"), "{text}");
        }
        let plain = FileName::parse("0a1b").unwrap();
        assert!(plain.loaded_sequence().is_none() && plain.loaded_as().is_none());
        for bad in ["0a_SeqId_x_", "0a_SeqId_1", "_SeqId_1_", "0aX_SeqId_1_"] {
            assert_eq!(FileName::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_table_name_with_a_dot_is_no_reference() {
        assert!(matches!(FileName::parse("my.table=0a-ff"), Some(FileName::Link(_))));
        let name = FileName::parse("my.table=0a-ff.99");
        assert!(matches!(name, Some(FileName::LinkReference { parent, .. }) if parent == "99"));
    }
}
