//! The text form of a mapping.

use grampus_base::{Result, from_hex};

use crate::mapping::{Column, ColumnType, KeyColumn, Mapping, bad};
use crate::shown::OrWhy;

/// Stands for the row key where a column of the table would stand.
const KEY: &str = ":key";
/// Says that the row key is not wanted.
const NO_KEY: &str = ":nokey";
/// Stands for all cells as they are.
const ALL_CELLS: &str = "*";
/// Follows the type of a column whose timestamps are wanted.
const WITH_TIMESTAMP: &str = "+ts";

impl Mapping {
    /// Parses a list of columns, separated by commas:
    ///
    /// ```text
    /// family:qualifier[=name[:type[+ts]]]    a column of the table; without a name family_qualifier, without a type bytes
    /// :key[=name[:type]]                     the row key; without it :key=rowkey:bytes
    /// :nokey                                 no row key, for readers that do not look at it
    /// *                                      all cells as they are, beside nothing but the row key
    /// ```
    ///
    /// White space around parts does not count. A byte of a family or qualifier may be written as `\xNN`; a comma, an equals sign, a backslash,
    /// white space at the ends, and a colon in a family must be. The types are those of [`ColumnType`]; `+ts` adds a column `<name>_ts` with the
    /// timestamps of the cells.
    ///
    /// # Errors
    /// The error names the part that is wrong, or see [`Mapping::new`].
    pub fn parse(text: &str) -> Result<Mapping> {
        let (mut key, mut no_key, mut columns, mut all) = (None, false, Vec::new(), false);
        for (number, part) in (1..).zip(parts(text)) {
            let wrong = |why: String| bad(format!("part {number} of the mapping, {part:?}: {why}"));
            match Entry::parse(part).map_err(wrong)? {
                Entry::Key(_) if key.is_some() => {
                    return Err(wrong("the row key is there twice".to_string()));
                }
                Entry::Key(_) if no_key => return Err(wrong(there_already(NO_KEY))),
                Entry::NoKey if key.is_some() => return Err(wrong(there_already(KEY))),
                Entry::Key(column) => key = Some(column),
                Entry::NoKey if no_key => return Err(wrong("it is there twice".to_string())),
                Entry::NoKey => no_key = true,
                Entry::AllCells => all = true,
                Entry::Column(column) => columns.push(column),
            }
        }
        if all && !columns.is_empty() {
            let message =
                format!("the mapping has {ALL_CELLS}, all cells as they are, and columns beside it");
            return Err(bad(message));
        }
        match (no_key, all) {
            (true, true) => {
                Err(bad(format!("{ALL_CELLS} takes all cells with their row key; leave {NO_KEY} out")))
            }
            (true, false) => Mapping::without_key(columns),
            (false, true) => Mapping::generic(key.unwrap_or_default()),
            (false, false) => Mapping::new(key.unwrap_or_default(), columns),
        }
    }
}

fn there_already(entry: &str) -> String {
    format!("the mapping has {entry} already; leave one of the two out")
}

/// What stands between two commas.
enum Entry {
    Key(KeyColumn),
    NoKey,
    AllCells,
    Column(Column),
}

impl Entry {
    fn parse(text: &str) -> OrWhy<Entry> {
        if text == ALL_CELLS {
            return Ok(Entry::AllCells);
        }
        if text == NO_KEY {
            return Ok(Entry::NoKey);
        }
        let (source, target) = match text.split_once('=') {
            Some((source, target)) => (source.trim(), Some(Target::parse(target)?)),
            None => (text, None),
        };
        if source.is_empty() {
            return Err("there is no column; write family:qualifier".to_string());
        }
        if source == KEY { key(target) } else { column(source, target) }
    }
}

fn key(target: Option<Target<'_>>) -> OrWhy<Entry> {
    let Some(target) = target else { return Ok(Entry::Key(KeyColumn::default())) };
    if target.with_timestamp {
        return Err("a row key has no timestamp".to_string());
    }
    Ok(Entry::Key(KeyColumn { name: target.name.to_string(), column_type: target.column_type }))
}

fn column(source: &str, target: Option<Target<'_>>) -> OrWhy<Entry> {
    let (family, qualifier) = source
        .split_once(':')
        .ok_or("there is no colon between family and qualifier; write family:qualifier")?;
    if family.trim().is_empty() {
        return Err(format!("the family is empty; the row key is {KEY}"));
    }
    let column = Column::new(unescaped(family.trim())?, unescaped(qualifier.trim())?);
    Ok(Entry::Column(match target {
        None => column,
        Some(Target { name, column_type, with_timestamp }) => {
            Column { name: name.to_string(), column_type, with_timestamp, ..column }
        }
    }))
}

/// What stands behind the equals sign.
struct Target<'a> {
    name: &'a str,
    column_type: ColumnType,
    with_timestamp: bool,
}

impl<'a> Target<'a> {
    fn parse(text: &'a str) -> OrWhy<Target<'a>> {
        let Some((name, kind)) = text.split_once(':') else {
            let (name, column_type) = (text.trim(), ColumnType::Bytes);
            if let Some(name) = name.strip_suffix(WITH_TIMESTAMP) {
                return Err(format!(
                    "{WITH_TIMESTAMP} stands behind a type; write {name}:bytes{WITH_TIMESTAMP}"
                ));
            }
            return Ok(Target { name, column_type, with_timestamp: false });
        };
        let kind = kind.trim();
        let (kind, with_timestamp) = match kind.strip_suffix(WITH_TIMESTAMP) {
            Some(kind) => (kind.trim(), true),
            None => (kind, false),
        };
        Ok(Target { name: name.trim(), column_type: ColumnType::named(kind)?, with_timestamp })
    }
}

/// What a character of a mapping's text belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Source,
    Name,
    /// A type at a depth of parentheses.
    Type(u32),
}

impl Place {
    fn after(self, c: char) -> Place {
        match (self, c) {
            (Place::Source, '=') => Place::Name,
            (Place::Name, ':') => Place::Type(0),
            (Place::Type(depth), '(') => Place::Type(depth.saturating_add(1)),
            (Place::Type(depth), ')') => Place::Type(depth.saturating_sub(1)),
            (place, _) => place,
        }
    }
}

/// The parts between commas, without the white space around them. A comma in the parentheses of a type separates nothing.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut place = Place::Source;
    let ends = move |c| {
        let within_type = matches!(place, Place::Type(1..));
        let ends = c == ',' && !within_type;
        place = if ends { Place::Source } else { place.after(c) };
        ends
    };
    text.split(ends).map(str::trim)
}

/// The bytes of a text in which some may be written as `\xNN`.
fn unescaped(text: &str) -> OrWhy<Vec<u8>> {
    let mut pieces = text.split('\\');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let escape = piece.strip_prefix('x').and_then(|rest| rest.split_at_checked(2));
        let byte = escape.and_then(|(digits, rest)| Some((from_hex(digits, "an escape").ok()?, rest)));
        let (byte, rest) = byte.ok_or(r"a backslash begins no \xNN; a backslash itself is \x5C")?;
        bytes.extend(byte);
        bytes.extend(rest.as_bytes());
    }
    Ok(bytes)
}
