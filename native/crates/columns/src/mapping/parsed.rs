//! What the text of a mapping says, for programs of other languages.

use grampus_base::{Error, ErrorKind, Result};
use serde::Serialize;

use crate::mapping::{Column, KeyColumn, Mapping, NEEDS_KEY};

/// A column of the table that a mapping reads, in hexadecimal digits.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct MappedColumn {
    /// Its family.
    pub family: String,
    /// Its qualifier.
    pub qualifier: String,
}

/// All that the text of a mapping says, for a program that goes the other way: from the columns of a file to cells. Names of types are those that
/// the text has.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParsedMapping {
    /// Name of the row key's column.
    pub key_name: String,
    /// Type of the row key.
    pub key_type: String,
    /// The columns in the order of the text; none for a mapping of all cells.
    pub columns: Vec<ParsedColumn>,
    /// Whether the mapping takes all cells as they are.
    pub all_cells: bool,
}

/// A column of a mapping; bytes are in hexadecimal digits.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParsedColumn {
    /// Its family.
    pub family: String,
    /// Its qualifier.
    pub qualifier: String,
    /// What it is called.
    pub name: String,
    /// What its bytes mean.
    pub column_type: String,
    /// What the column of its timestamps is called, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_name: Option<String>,
}

impl MappedColumn {
    /// The columns that a mapping reads, by family and qualifier; none for a mapping of all cells.
    ///
    /// # Errors
    /// Those of [`Mapping::parse`].
    pub fn all(mapping: &str) -> Result<Vec<MappedColumn>> {
        let mapping = Mapping::parse(mapping)?;
        let families = mapping.projection();
        let columns = families.into_iter().flat_map(|(family, qualifiers)| {
            let family = grampus_base::to_hex(family);
            qualifiers.into_iter().map(move |qualifier| MappedColumn {
                family: family.clone(),
                qualifier: grampus_base::to_hex(qualifier),
            })
        });
        Ok(columns.collect())
    }
}

impl ParsedMapping {
    /// Parses the text of a mapping.
    ///
    /// # Errors
    /// Those of [`Mapping::parse`], or the mapping has no row key.
    pub fn of(text: &str) -> Result<ParsedMapping> {
        let mapping = Mapping::parse(text)?;
        let Some(KeyColumn { name, column_type }) = mapping.key() else {
            return Err(Error::new(ErrorKind::BadRequest, NEEDS_KEY));
        };
        Ok(ParsedMapping {
            key_name: name.clone(),
            key_type: column_type.to_string(),
            columns: mapping.columns().unwrap_or_default().iter().map(ParsedColumn::of).collect(),
            all_cells: mapping.columns().is_none(),
        })
    }
}

impl ParsedColumn {
    fn of(column: &Column) -> ParsedColumn {
        ParsedColumn {
            family: grampus_base::to_hex(&column.family),
            qualifier: grampus_base::to_hex(&column.qualifier),
            name: column.name.clone(),
            column_type: column.column_type.to_string(),
            timestamp_name: column.with_timestamp.then(|| column.timestamp_name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_a_mapping_come_by_name() {
        let column = |family: &str, qualifier: &str| MappedColumn {
            family: family.to_string(),
            qualifier: qualifier.to_string(),
        };
        let columns = MappedColumn::all(r"g:a,f:b,f:\x00,:key=k:string").unwrap();
        assert_eq!(columns, [column("66", "00"), column("66", "62"), column("67", "61")]);
        assert!(MappedColumn::all("*").unwrap().is_empty());
    }

    #[test]
    fn a_parsed_mapping_has_all_that_its_text_says() {
        let parsed = ParsedMapping::of(r"g:a=n:decimal(9,2)+ts,f:\x00,:key=k:long").unwrap();
        assert_eq!((parsed.key_name.as_str(), parsed.key_type.as_str()), ("k", "long"));
        assert!(!parsed.all_cells);
        let column =
            |family: &str, qualifier: &str, name: &str, column_type: &str, timestamp: Option<&str>| {
                ParsedColumn {
                    family: family.to_string(),
                    qualifier: qualifier.to_string(),
                    name: name.to_string(),
                    column_type: column_type.to_string(),
                    timestamp_name: timestamp.map(str::to_string),
                }
            };
        let expected = [
            column("67", "61", "n", "decimal(9,2)", Some("n_ts")),
            column("66", "00", r"f_\x00", "bytes", None),
        ];
        assert_eq!(parsed.columns, expected);
        let all = ParsedMapping::of("*").unwrap();
        assert!(all.all_cells && all.columns.is_empty());
        assert!(ParsedMapping::of("f").is_err());
        assert_eq!(ParsedMapping::of(":nokey,f:a").unwrap_err().message, NEEDS_KEY);
    }
}
