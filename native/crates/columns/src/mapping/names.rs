//! Names of columns, which the text of a mapping and all formats can have.

use crate::shown::OrWhy;
use std::fmt::Write as _;

/// What ends a name in the text of a mapping.
const SEPARATORS: [char; 3] = [',', ':', '='];

/// Refuses what is no name; the error is the end of a sentence.
pub(super) fn check(name: &str) -> OrWhy<()> {
    if name.is_empty() {
        return Err("its name is empty".to_string());
    }
    if let Some(bad) = name.chars().find(|c| !is_allowed(*c)) {
        return Err(format!("the name {name:?} has a {bad:?}, which no name may have"));
    }
    if name.trim() != name {
        return Err(format!("the name {name:?} begins or ends with white space"));
    }
    Ok(())
}

/// `family_qualifier`, or the family alone for the empty qualifier. What a name cannot have is written as `\xNN`.
pub(super) fn name_of(family: &[u8], qualifier: &[u8]) -> String {
    let mut name = String::new();
    push(&mut name, family);
    if !qualifier.is_empty() {
        name.push('_');
        push(&mut name, qualifier);
    }
    name
}

fn is_allowed(c: char) -> bool {
    !c.is_control() && !SEPARATORS.contains(&c)
}

fn push(name: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_allowed(c) && !c.is_whitespace() {
                name.push(c);
            } else {
                push_escaped(name, c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        push_escaped(name, chunk.invalid());
    }
}

fn push_escaped(name: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(name, "\\x{byte:02X}"); // writing to a String cannot fail
    }
}
