//! The name of a file that holds bytes, as HBase's `StoreFileInfo` defines it.

/// Stands before the sequence id in the name of a file that was loaded.
pub(super) const LOADED: &str = "_SeqId_";

/// `[0-9a-f]+(?:(?:_SeqId_[0-9]+_)|(?:_del))?`
pub(super) fn is_hfile(name: &str) -> bool {
    let hex = name.bytes().take_while(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b)).count();
    let rest = name.get(hex..).unwrap_or_default();
    hex > 0
        && (rest.is_empty() || rest == "_del" || loaded_name(name).is_some_and(|(name, _)| name.len() == hex))
}

/// The two parts of `<name>_SeqId_<digits>_`.
pub(super) fn loaded_name(name: &str) -> Option<(&str, &str)> {
    let (name, digits) = name.strip_suffix('_')?.split_once(LOADED)?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some((name, digits))
}
