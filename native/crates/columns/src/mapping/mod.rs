//! Which columns a table has for others, what they are called, and what their bytes mean.

mod column_type;
mod names;
mod parse;
mod parsed;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
pub use column_type::ColumnType;
use grampus_base::{Error, ErrorKind, Result};
pub use parsed::{MappedColumn, ParsedColumn, ParsedMapping};

use crate::shown::shown_column;

/// What the column of row keys is called unless the mapping says otherwise.
const KEY_NAME: &str = "rowkey";
/// Why a file or an import takes no mapping without the row key.
pub(crate) const NEEDS_KEY: &str =
    "a file and an import need the row key; leave :nokey out, which is for batches and streams";
/// What the column of cells is called where a mapping takes all.
const CELLS_NAME: &str = "cells";
/// What the name of a column of timestamps ends with.
const TIMESTAMP_SUFFIX: &str = "_ts";
/// Zone of all timestamps: they count from 1970-01-01 UTC.
const ZONE: &str = "UTC";

/// The column that holds the row keys. It is the first one of a batch that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyColumn {
    /// Its name.
    pub name: String,
    /// What the bytes of a row key mean.
    pub column_type: ColumnType,
}

impl Default for KeyColumn {
    fn default() -> KeyColumn {
        KeyColumn { name: KEY_NAME.to_string(), column_type: ColumnType::Bytes }
    }
}

/// A column of the table and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its family.
    pub family: Vec<u8>,
    /// Its qualifier; empty is legal.
    pub qualifier: Vec<u8>,
    /// What it is called.
    pub name: String,
    /// What the bytes of its values mean.
    pub column_type: ColumnType,
    /// A second column `<name>_ts` has the timestamps of its cells.
    pub with_timestamp: bool,
}

impl Column {
    /// A column of bytes that is called `family_qualifier`.
    pub fn new(family: impl Into<Vec<u8>>, qualifier: impl Into<Vec<u8>>) -> Column {
        let (family, qualifier) = (family.into(), qualifier.into());
        let name = names::name_of(&family, &qualifier);
        Column { family, qualifier, name, column_type: ColumnType::Bytes, with_timestamp: false }
    }

    /// Bytes that each row takes, whether it has the column or not.
    pub(crate) fn width(&self) -> usize {
        let stamps = if self.with_timestamp { ColumnType::Timestamp.width() } else { 0 };
        self.column_type.width() + stamps
    }

    /// Name of the column of its timestamps.
    pub(crate) fn timestamp_name(&self) -> String {
        format!("{}{TIMESTAMP_SUFFIX}", self.name)
    }
}

/// The columns of record batches and files, and what they are made of.
///
/// All columns but the row key may be null, which they are in rows that do not have the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// `None` where the batches have no row keys; `columns` then has one at least.
    key: Option<KeyColumn>,
    /// `None` takes all cells as they are.
    columns: Option<Vec<Column>>,
}

impl Mapping {
    /// A mapping of columns by name, in the order of the batches' columns.
    ///
    /// # Errors
    /// Two columns have the same name, a column of the table is there twice, a name has a character that no name may have, or a decimal has an
    /// impossible precision or scale.
    pub fn new(key: KeyColumn, columns: Vec<Column>) -> Result<Mapping> {
        check_key(&key)?;
        check_columns(HashSet::from([key.name.clone()]), &columns)?;
        Ok(Mapping { key: Some(key), columns: Some(columns) })
    }

    /// A mapping of columns by name without the row key, which need not be decoded then.
    ///
    /// # Errors
    /// There is no column, or see [`Mapping::new`].
    pub(crate) fn without_key(columns: Vec<Column>) -> Result<Mapping> {
        if columns.is_empty() {
            return Err(bad("a mapping without the row key has no column; name one".to_string()));
        }
        check_columns(HashSet::new(), &columns)?;
        Ok(Mapping { key: None, columns: Some(columns) })
    }

    /// A mapping that takes all cells as they are: a column `cells`, a list of `family`, `qualifier`, `timestamp`, `type` and `value`. The type is
    /// HBase's code: 4 is a put, 8, 10, 12 and 14 are the delete markers that a raw scan returns.
    ///
    /// # Errors
    /// The row key is called `cells`, or see [`Mapping::new`].
    pub(crate) fn generic(key: KeyColumn) -> Result<Mapping> {
        check_key(&key)?;
        if key.name == CELLS_NAME {
            return Err(bad(format!("the row key cannot be called {CELLS_NAME}: the column of cells is")));
        }
        Ok(Mapping { key: Some(key), columns: None })
    }

    /// The row key's column; `None` where the batches have none.
    pub fn key(&self) -> Option<&KeyColumn> {
        self.key.as_ref()
    }

    /// The columns by name; `None` for a generic mapping.
    pub fn columns(&self) -> Option<&[Column]> {
        self.columns.as_deref()
    }

    /// The columns of the table by family, qualifiers ascending: what a read spec has to ask for. Empty for a generic mapping.
    ///
    /// A scan of these columns returns only rows that have one of them.
    pub fn projection(&self) -> BTreeMap<&[u8], Vec<&[u8]>> {
        let mut families: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
        for column in self.columns.iter().flatten() {
            families.entry(&column.family).or_default().push(&column.qualifier);
        }
        families.values_mut().for_each(|qualifiers| qualifiers.sort_unstable());
        families
    }

    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        let key = self.key.iter();
        let mut fields: Vec<Field> =
            key.map(|key| Field::new(&key.name, key.column_type.data_type(), false)).collect();
        match &self.columns {
            None => fields.push(Field::new(CELLS_NAME, cells_type(), false)),
            Some(columns) => columns.iter().for_each(|column| push_fields(&mut fields, column)),
        }
        Arc::new(Schema::new(fields))
    }
}

fn push_fields(fields: &mut Vec<Field>, column: &Column) {
    fields.push(Field::new(&column.name, column.column_type.data_type(), true));
    if column.with_timestamp {
        fields.push(Field::new(column.timestamp_name(), timestamp_type(), true));
    }
}

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn timestamp_type() -> DataType {
    DataType::Timestamp(TimeUnit::Millisecond, Some(ZONE.into()))
}

/// The fields of a cell of a generic mapping, in the order in which they are built.
pub(crate) fn cell_fields() -> Fields {
    Fields::from(vec![
        Field::new("family", DataType::Utf8, false),
        Field::new("qualifier", DataType::Binary, false),
        Field::new("timestamp", timestamp_type(), false),
        Field::new("type", DataType::Int8, false),
        Field::new("value", DataType::Binary, false),
    ])
}

/// The element of the list of cells; the name is the one that Parquet gives it.
pub(crate) fn cell_field() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Struct(cell_fields()), false))
}

fn cells_type() -> DataType {
    DataType::List(cell_field())
}

fn check_key(key: &KeyColumn) -> Result<()> {
    names::check(&key.name)
        .and_then(|()| key.column_type.check())
        .map_err(|why| bad(format!("the row key of the mapping: {why}")))
}

/// Checks columns beside names that are taken already.
fn check_columns(mut taken: HashSet<String>, columns: &[Column]) -> Result<()> {
    let mut sources = HashSet::new();
    for column in columns {
        check_column(column, &mut taken)?;
        if !sources.insert((column.family.as_slice(), column.qualifier.as_slice())) {
            return Err(of_column(column, "it is there twice"));
        }
    }
    Ok(())
}

fn check_column(column: &Column, taken: &mut HashSet<String>) -> Result<()> {
    names::check(&column.name)
        .and_then(|()| column.column_type.check())
        .map_err(|why| of_column(column, &why))?;
    let stamps = column.with_timestamp.then(|| column.timestamp_name());
    for name in [Some(column.name.clone()), stamps].into_iter().flatten() {
        if taken.contains(&name) {
            let why = format!("another column is called {name}, too; give it a name of its own behind =");
            return Err(of_column(column, &why));
        }
        taken.insert(name);
    }
    Ok(())
}

fn of_column(column: &Column, why: &str) -> Error {
    bad(format!("column {} of the mapping: {why}", shown_column(&column.family, &column.qualifier)))
}

fn bad(message: String) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}
