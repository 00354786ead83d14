//! Places as they come from outside: a path, or a URI as Hadoop writes one.

use std::path::{Path, PathBuf};

use grampus_base::{Error, ErrorKind, Result};

/// The path that a place names: `/h`, `file:/h` and `file:///h` are the same. Another scheme, or another machine's files, are refused with a
/// sentence.
///
/// As in Hadoop's `Path`, nothing is decoded: the `%2C` in the name of a log directory is part of the name.
pub fn path_of(place: &str) -> Result<PathBuf> {
    let Some((scheme, rest)) = scheme_of(place) else { return plain(place, place) };
    if !scheme.eq_ignore_ascii_case("file") {
        return Err(refused(
            place,
            &format!(
                "the scheme {scheme} is not supported; supported are file:/PATH, file:///PATH and plain paths"
            ),
        ));
    }
    let Some(after) = rest.strip_prefix("//") else { return absolute(place, rest) };
    let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
    if !matches!(authority, "" | "localhost") {
        return Err(refused(
            place,
            &format!("files of the machine {authority} cannot be reached by the scheme file"),
        ));
    }
    absolute(place, path)
}

/// The path that a place names for an environment that may know more than local files: that of [`path_of`], and where the scheme is another
/// one the URI itself. A path of this kind has scheme and machine (or bucket) as its first two components, and is joined and taken apart as
/// every other. Which schemes there are is the environment's to say: [`crate::Env::check_place`].
pub fn place_of(place: &str) -> Result<PathBuf> {
    let Some((scheme, rest)) = scheme_of(place) else { return path_of(place) };
    if scheme.eq_ignore_ascii_case("file") {
        return path_of(place);
    }
    let Some((authority, path)) = rest.strip_prefix("//").and_then(|after| after.split_once('/')) else {
        return Err(refused(place, "a URI of another file system needs //, a machine and an absolute path"));
    };
    if authority.is_empty() {
        return Err(refused(place, "the URI does not say whose files these are"));
    }
    Ok(PathBuf::from(format!("{scheme}://{authority}/{}", path.trim_start_matches('/'))))
}

/// True for a path that is a URI, as [`place_of`] makes them, or a part of one from its scheme on.
pub fn is_uri(path: &Path) -> bool {
    path.to_str().is_some_and(|text| scheme_of(text).is_some())
}

/// True for a path that means the same wherever it is used.
pub fn is_absolute(path: &Path) -> bool {
    path.is_absolute() || is_uri(path)
}

/// The scheme before the first colon; a colon behind a slash belongs to the path.
fn scheme_of(place: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = place.split_once(':')?;
    let mut letters = scheme.bytes();
    let is_scheme = letters.next().is_some_and(|b| b.is_ascii_alphabetic())
        && letters.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_scheme.then_some((scheme, rest))
}

fn absolute(place: &str, path: &str) -> Result<PathBuf> {
    if !path.starts_with('/') {
        return Err(refused(place, "a URI needs an absolute path"));
    }
    // What Hadoop prints for the root of a file system has more slashes than one.
    plain(place, &path[path.len() - path.trim_start_matches('/').len() - 1..])
}

fn plain(place: &str, path: &str) -> Result<PathBuf> {
    if path.is_empty() {
        return Err(refused(place, "it is empty"));
    }
    Ok(PathBuf::from(path))
}

#[cold]
fn refused(place: &str, why: &str) -> Error {
    Error::new(ErrorKind::BadRequest, format!("{place:?} is no place for files: {why}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_path_and_its_uris_are_the_same_place() {
        for place in [
            "/h/a b",
            "file:/h/a b",
            "file:///h/a b",
            "FILE:///h/a b",
            "file://localhost/h/a b",
            "file:////h/a b",
        ] {
            assert_eq!(path_of(place).unwrap(), Path::new("/h/a b"), "{place}");
        }
        for same in ["/h/WALs/s%2C1%2C2", "/h/a:b", "h/a", "./file:/h", "/"] {
            assert_eq!(path_of(same).unwrap(), Path::new(same));
        }
        assert_eq!(path_of("file:/h/s%2C1").unwrap(), Path::new("/h/s%2C1"), "nothing is decoded");
    }

    #[test]
    fn a_uri_of_another_file_system_is_a_path_with_a_scheme() {
        let root = place_of("hdfs://nn:8020//h").unwrap();
        assert_eq!(root.to_str(), Some("hdfs://nn:8020/h"));
        assert_eq!(root.join("WALs/s%2C1").to_str(), Some("hdfs://nn:8020/h/WALs/s%2C1"));
        assert_eq!(root.parent().and_then(Path::to_str), Some("hdfs://nn:8020"));
        assert!(is_uri(&root) && is_absolute(&root) && is_uri(Path::new("hdfs:")));
        for local in ["/h", "file:/h", "file:///h"] {
            let path = place_of(local).unwrap();
            assert!(path == Path::new("/h") && !is_uri(&path) && is_absolute(&path), "{local}");
        }
        assert!(!is_absolute(Path::new("h/a:b")));
        for bad in ["hdfs:/h", "hdfs:///h", "hdfs://nn", "s3a:b", ""] {
            assert_eq!(place_of(bad).unwrap_err().kind, ErrorKind::BadRequest, "{bad}");
        }
    }

    #[test]
    fn what_is_not_a_local_place_is_refused_in_a_sentence() {
        for (place, why) in [
            ("hdfs://nn:8020/hbase", "the scheme hdfs is not supported; supported are file:/PATH"),
            ("s3a://bucket/hbase", "the scheme s3a is not supported"),
            ("file://other/h", "files of the machine other cannot be reached"),
            ("file:h", "needs an absolute path"),
            ("file://", "needs an absolute path"),
            ("", "it is empty"),
        ] {
            let refusal = path_of(place).unwrap_err();
            assert_eq!(refusal.kind, ErrorKind::BadRequest);
            assert!(refusal.message.contains(why) && refusal.message.contains(place), "{refusal}");
        }
    }
}
