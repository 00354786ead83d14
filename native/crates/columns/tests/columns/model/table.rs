//! Random tables with random mappings.

use std::collections::BTreeMap;

use grampus_columns::{Column, ColumnType, KeyColumn, Mapping};
use grampus_testkit::random::Random;
use grampus_testkit::wire::Cell;

use super::value::{Value, decimal_text};

const FAMILIES: [&str; 3] = ["f", "fa", "g"];
const QUALIFIERS: [&str; 7] = ["", "a", "aa", "b:c", "b=c,d", "k\\", "ä"];
const KEY_TYPES: [ColumnType; 3] = [ColumnType::Bytes, ColumnType::Text, ColumnType::TextReplaced];
const TYPES: [ColumnType; 16] = [
    ColumnType::Bytes,
    ColumnType::Text,
    ColumnType::TextReplaced,
    ColumnType::Byte,
    ColumnType::Short,
    ColumnType::Int,
    ColumnType::Long,
    ColumnType::Float,
    ColumnType::Double,
    ColumnType::Boolean,
    ColumnType::Timestamp,
    ColumnType::LongOfText,
    ColumnType::DoubleOfText,
    ColumnType::BooleanOfText,
    ColumnType::Decimal { precision: 9, scale: 3 },
    ColumnType::Decimal { precision: 38, scale: 0 },
];
const TEXTS: [&str; 8] =
    ["", "plain", "a,b", "\"quoted\"", "line\r\nend", "tab\tnul\0", "äöü €𝄞 \u{2028}", " x "];
/// Timestamps with their texts.
const TIMES: [(i64, &str); 5] = [
    (0, "1970-01-01T00:00:00.000Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_795_389_696_007, "2026-11-22T23:21:36.007Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
];

/// A table, a mapping of some of its columns, and what that mapping makes of its rows.
pub(crate) struct Table {
    pub(crate) cells: Vec<Cell>,
    pub(crate) mapping: Mapping,
    pub(crate) rows: Vec<Vec<Value>>,
}

impl Table {
    pub(crate) fn random(random: &mut Random) -> Table {
        let columns = columns(random);
        let key = KeyColumn { name: "the key".to_string(), column_type: *random.pick(&KEY_TYPES) };
        let mapping = Mapping::new(key.clone(), columns.clone()).unwrap();
        let (mut cells, mut rows) = (Vec::new(), BTreeMap::new());
        for _ in 0..random.below(400) {
            let row = row_key(random);
            if rows.contains_key(&row) {
                continue;
            }
            let made = cells_of(random, &row, &columns);
            if !made.is_empty() {
                rows.insert(row.clone(), values_of(&row, &key, &columns, &made));
                cells.extend(made.into_iter().map(|(cell, _)| cell));
            }
        }
        // One family at least has a file.
        if cells.is_empty() {
            let cell = Cell::put("r", "f", "unmapped", 1, "x");
            rows.insert("r".to_string(), values_of("r", &key, &columns, &[(cell.clone(), Value::Null)]));
            cells.push(cell);
        }
        Table { cells, mapping, rows: rows.into_values().collect() }
    }
}

impl Table {
    /// The same table with names of columns that every format has.
    pub(crate) fn with_plain_names(self) -> Table {
        let key = KeyColumn { name: "the_key".to_string(), ..self.mapping.key().unwrap().clone() };
        let columns = self.mapping.columns().unwrap().iter().enumerate();
        let columns = columns.map(|(n, column)| Column { name: format!("c{n}"), ..column.clone() });
        Table { mapping: Mapping::new(key, columns.collect()).unwrap(), ..self }
    }
}

/// Some of all columns, in any order.
fn columns(random: &mut Random) -> Vec<Column> {
    let mut columns = Vec::new();
    for family in FAMILIES {
        for qualifier in QUALIFIERS {
            if random.one_in(2) {
                continue;
            }
            let at = random.below(columns.len() as u64 + 1) as usize;
            let column = Column {
                column_type: *random.pick(&TYPES),
                with_timestamp: random.one_in(3),
                ..Column::new(family, qualifier)
            };
            columns.insert(at, column);
        }
    }
    columns
}

fn row_key(random: &mut Random) -> String {
    format!("{}{}", random.pick(&["r", "ä,", "\"", "x\ty"]), random.below(1000))
}

/// Cells of mapped and other columns, some with older versions, each with the value that its column has.
fn cells_of(random: &mut Random, row: &str, columns: &[Column]) -> Vec<(Cell, Value)> {
    let mut cells = Vec::new();
    for column in columns {
        if random.one_in(4) {
            continue;
        }
        let (family, qualifier) = (text(&column.family), text(&column.qualifier));
        let timestamp = TIMES[random.below(3) as usize].0.max(1);
        // The newest comes first.
        for version in 0..=i64::from(random.one_in(4)) {
            let (bytes, value) = value(random, column.column_type);
            cells.push((Cell::put(row, family, qualifier, timestamp - version, bytes), value));
        }
    }
    for (family, qualifier) in [("f", "unmapped"), ("g", "zz"), ("other", "q")] {
        if random.one_in(3) {
            cells.push((Cell::put(row, family, qualifier, 1, "x"), Value::Null));
        }
    }
    cells
}

/// What a mapping makes of a row.
fn values_of(row: &str, key: &KeyColumn, columns: &[Column], cells: &[(Cell, Value)]) -> Vec<Value> {
    let key = match key.column_type {
        ColumnType::Bytes => Value::Bytes(row.into()),
        _ => Value::Text(row.to_string()),
    };
    let mut values = vec![key];
    for column in columns {
        let newest =
            cells.iter().find(|(cell, _)| cell.family == column.family && cell.qualifier == column.qualifier);
        values.push(newest.map_or(Value::Null, |(_, value)| value.clone()));
        if column.with_timestamp {
            values.push(newest.map_or(Value::Null, |(cell, _)| time(cell.timestamp)));
        }
    }
    values
}

fn time(millis: i64) -> Value {
    let known = TIMES.iter().find(|(known, _)| *known == millis).map(|(_, text)| (*text).to_string());
    let text = match millis {
        1 => "1970-01-01T00:00:00.001Z".to_string(),
        _ => known.unwrap(),
    };
    Value::Timestamp(millis, text)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The bytes of a value, and what they are.
fn value(random: &mut Random, column_type: ColumnType) -> (Vec<u8>, Value) {
    let bits = random.bits();
    match column_type {
        ColumnType::Bytes => {
            let bytes = bits.to_be_bytes()[..random.below(9) as usize].to_vec();
            (bytes.clone(), Value::Bytes(bytes))
        }
        ColumnType::Text => {
            let text = *random.pick(&TEXTS);
            (text.into(), Value::Text(text.to_string()))
        }
        ColumnType::TextReplaced => {
            let text = *random.pick(&TEXTS);
            ([text.as_bytes(), &[0xFF]].concat(), Value::Text(format!("{text}\u{FFFD}")))
        }
        ColumnType::Byte => ((bits as i8).to_be_bytes().into(), Value::Int((bits as i8).into())),
        ColumnType::Short => ((bits as i16).to_be_bytes().into(), Value::Int((bits as i16).into())),
        ColumnType::Int => ((bits as i32).to_be_bytes().into(), Value::Int((bits as i32).into())),
        ColumnType::Long => (bits.to_be_bytes().into(), Value::Int(bits as i64)),
        ColumnType::Float => float(random, f32::from_bits(bits as u32)),
        ColumnType::Double => double(random, f64::from_bits(bits)),
        ColumnType::Boolean => (vec![bits as u8 & 3], Value::Boolean(bits & 3 != 0)),
        ColumnType::Timestamp => {
            let (millis, _) = *random.pick(&TIMES);
            (millis.to_be_bytes().into(), time(millis))
        }
        _ if random.one_in(6) => (Vec::new(), Value::Null),
        ColumnType::LongOfText => ((bits as i64).to_string().into(), Value::Int(bits as i64)),
        ColumnType::DoubleOfText => {
            let number = bits as f64 / 1e6;
            (number.to_string().into(), Value::Double(number))
        }
        ColumnType::BooleanOfText => {
            let (text, truth) = *random.pick(&[("true", true), ("False", false), ("1", true), ("0", false)]);
            (text.into(), Value::Boolean(truth))
        }
        ColumnType::Decimal { scale, .. } => {
            let digits = i128::from(bits as i64) % 10i128.pow(9);
            (decimal_text(digits, scale as usize).into(), Value::Decimal(digits, scale))
        }
    }
}

fn float(random: &mut Random, any: f32) -> (Vec<u8>, Value) {
    let number = *random.pick(&[any, 0.1, -0.0, f32::INFINITY]);
    // Which NaN it is does not come through all formats.
    let number = if number.is_nan() { f32::NAN } else { number };
    (number.to_be_bytes().into(), Value::Float(number))
}

fn double(random: &mut Random, any: f64) -> (Vec<u8>, Value) {
    let number = *random.pick(&[any, 0.1, 1e300, f64::NEG_INFINITY]);
    let number = if number.is_nan() { f64::NAN } else { number };
    (number.to_be_bytes().into(), Value::Double(number))
}
