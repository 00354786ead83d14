//! The text of a mapping, and what it makes.

use arrow_schema::{DataType, TimeUnit};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use grampus_base::printable;

use super::column_type::NAMED;
use super::*;

fn error(text: &str) -> String {
    Mapping::parse(text).unwrap_err().message
}

/// A mapping as text that parses into the same mapping.
fn text_of(mapping: &Mapping) -> String {
    let parsed = mapping.key().unwrap();
    let key = format!(":key={}:{}", parsed.name, parsed.column_type);
    match &mapping.columns {
        None => format!("{key},*"),
        Some(columns) => columns.iter().fold(key, |text, column| text + "," + &text_of_column(column)),
    }
}

fn text_of_column(column: &Column) -> String {
    let family = escaped(&column.family).replace(':', r"\x3A");
    let stamps = if column.with_timestamp { "+ts" } else { "" };
    format!("{family}:{}={}:{}{stamps}", escaped(&column.qualifier), column.name, column.column_type)
}

/// Bytes as HBase prints them; what would end them, or be trimmed, is escaped, too.
fn escaped(bytes: &[u8]) -> String {
    printable(bytes).replace(',', r"\x2C").replace('=', r"\x3D").replace(' ', r"\x20")
}

#[test]
fn columns_have_names_and_types() {
    let mapping = Mapping::parse(
        " :key = id:string , o:species=species:string, o:lat = lat : decimal(9, 6)+ts,\n o:n:m=n:int, f:a\\x2Cb\\x00, f:",
    )
    .unwrap();
    let column = |family: &str, qualifier: &[u8], name: &str, column_type, with_timestamp| Column {
        family: family.into(),
        qualifier: qualifier.to_vec(),
        name: name.to_string(),
        column_type,
        with_timestamp,
    };
    assert_eq!(mapping.key(), Some(&KeyColumn { name: "id".to_string(), column_type: ColumnType::Text }));
    let expected = [
        column("o", b"species", "species", ColumnType::Text, false),
        column("o", b"lat", "lat", ColumnType::Decimal { precision: 9, scale: 6 }, true),
        column("o", b"n:m", "n", ColumnType::Int, false),
        column("f", b"a,b\0", r"f_a\x2Cb\x00", ColumnType::Bytes, false),
        column("f", b"", "f", ColumnType::Bytes, false),
    ];
    assert_eq!(mapping.columns(), Some(&expected[..]));
    assert_eq!(
        text_of(&mapping),
        r":key=id:string,o:species=species:string,o:lat=lat:decimal(9,6)+ts,o:n:m=n:int,f:a\x2Cb\x00=f_a\x2Cb\x00:bytes,f:=f:bytes"
    );
}

#[test]
fn bytes_that_are_no_text_are_escaped_in_names() {
    for qualifier in [r"ä\xFF", r"\xE2\x82€\xF0\x9Fa\xED\xA0\x80", r"\xC3", r"\x80ü"] {
        let mapping = Mapping::parse(&format!("f:{qualifier}")).unwrap();
        assert_eq!(mapping.columns().unwrap()[0].name, format!("f_{qualifier}"));
    }
}

#[test]
fn the_row_key_has_a_default_and_may_stand_alone() {
    let mapping = Mapping::parse("f:q").unwrap();
    assert_eq!(
        mapping.key(),
        Some(&KeyColumn { name: "rowkey".to_string(), column_type: ColumnType::Bytes })
    );
    let alone = Mapping::parse(":key").unwrap();
    assert_eq!(alone.columns(), Some(&[][..]));
    assert_eq!(alone.schema().fields().len(), 1);
}

#[test]
fn all_cells_are_a_list() {
    let mapping = Mapping::parse("*, :key=k:long").unwrap();
    assert_eq!(mapping.columns(), None);
    assert!(mapping.projection().is_empty());
    let schema = mapping.schema();
    assert_eq!(schema.field(0).data_type(), &DataType::Int64);
    let DataType::List(cell) = schema.field(1).data_type() else { panic!("{schema}") };
    assert_eq!(cell.data_type(), &DataType::Struct(cell_fields()));
}

#[test]
fn every_type_has_an_arrow_type() {
    let utc = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    for (name, expected) in [
        ("bytes", DataType::Binary),
        ("string", DataType::Utf8),
        ("string(replace)", DataType::Utf8),
        ("byte", DataType::Int8),
        ("short", DataType::Int16),
        ("int", DataType::Int32),
        ("long", DataType::Int64),
        ("float", DataType::Float32),
        ("double", DataType::Float64),
        ("boolean", DataType::Boolean),
        ("timestamp", utc.clone()),
        ("long(text)", DataType::Int64),
        ("double(text)", DataType::Float64),
        ("boolean(text)", DataType::Boolean),
        ("decimal(38,38)", DataType::Decimal128(38, 38)),
        ("decimal(5)", DataType::Decimal128(5, 0)),
    ] {
        let schema = Mapping::parse(&format!("f:q=c:{name}+ts")).unwrap().schema();
        assert_eq!(schema.field(1).data_type(), &expected, "{name}");
        assert!(schema.field(1).is_nullable() && !schema.field(0).is_nullable());
        assert_eq!((schema.field(2).name().as_str(), schema.field(2).data_type()), ("c_ts", &utc));
    }
    assert_eq!(NAMED.len() + 2, 16, "all are above");
}

#[test]
fn a_projection_has_qualifiers_in_order() {
    let mapping = Mapping::parse("g:b,f:z,g:a,f:").unwrap();
    let projection: Vec<_> = mapping.projection().into_iter().collect();
    assert_eq!(projection, [(&b"f"[..], vec![&b""[..], b"z"]), (b"g", vec![b"a", b"b"])]);
}

/// Checks what is said of texts that are no mapping.
fn refused(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(error(text), *expected, "{text}");
    }
}

#[test]
fn errors_name_the_part() {
    refused(&[
        ("", r#"part 1 of the mapping, "": there is no column; write family:qualifier"#),
        ("f:a,,f:b", r#"part 2 of the mapping, "": there is no column; write family:qualifier"#),
        (
            "f:a,b",
            r#"part 2 of the mapping, "b": there is no colon between family and qualifier; write family:qualifier"#,
        ),
        (":q", r#"part 1 of the mapping, ":q": the family is empty; the row key is :key"#),
    ]);
}

#[test]
fn an_escape_that_cannot_be_is_named() {
    refused(&[
        (
            r"f:a\n",
            r#"part 1 of the mapping, "f:a\\n": a backslash begins no \xNN; a backslash itself is \x5C"#,
        ),
        (
            r"f:\x4",
            r#"part 1 of the mapping, "f:\\x4": a backslash begins no \xNN; a backslash itself is \x5C"#,
        ),
        (
            r"f:\xég",
            r#"part 1 of the mapping, "f:\\xég": a backslash begins no \xNN; a backslash itself is \x5C"#,
        ),
    ]);
}

#[test]
fn a_row_key_that_cannot_be_is_named() {
    refused(&[
        (":nokey", "a mapping without the row key has no column; name one"),
        ("*,:nokey", "* takes all cells with their row key; leave :nokey out"),
        (":nokey,f:a,:nokey", r#"part 3 of the mapping, ":nokey": it is there twice"#),
        (
            ":key,f:a,:nokey",
            r#"part 3 of the mapping, ":nokey": the mapping has :key already; leave one of the two out"#,
        ),
        (
            ":nokey,f:a,:key=k",
            r#"part 3 of the mapping, ":key=k": the mapping has :nokey already; leave one of the two out"#,
        ),
        (":key,f:a,:key=k", r#"part 3 of the mapping, ":key=k": the row key is there twice"#),
        (":key=k:long+ts", r#"part 1 of the mapping, ":key=k:long+ts": a row key has no timestamp"#),
    ]);
}

#[test]
fn a_type_that_cannot_be_is_named() {
    refused(&[
        ("f:a=x+ts", r#"part 1 of the mapping, "f:a=x+ts": +ts stands behind a type; write x:bytes+ts"#),
        (
            "f:a=x:decimal(1;2)",
            r#"part 1 of the mapping, "f:a=x:decimal(1;2)": "decimal(1;2)" is no type; a decimal is decimal(precision,scale)"#,
        ),
        (
            "f:a=x:decimal(39,1)",
            r#"part 1 of the mapping, "f:a=x:decimal(39,1)": decimal(39,1) cannot be: a decimal has 1 to 38 digits, and no more behind its point"#,
        ),
    ]);
    assert!(error("f:a=x:flot").starts_with(
        r#"part 1 of the mapping, "f:a=x:flot": there is no type "flot"; the types are bytes, string, "#
    ));
}

#[test]
fn a_name_that_cannot_be_is_named() {
    refused(&[
        ("f:a=:int", "column f:a of the mapping: its name is empty"),
        ("f:a=b=c", "column f:a of the mapping: the name \"b=c\" has a '=', which no name may have"),
    ]);
}

#[test]
fn what_is_there_twice_is_named() {
    refused(&[
        (
            ":nokey,f:a=a,f:b=a",
            "column f:b of the mapping: another column is called a, too; give it a name of its own behind =",
        ),
        (
            "f:a=x,g:b=x",
            "column g:b of the mapping: another column is called x, too; give it a name of its own behind =",
        ),
        (
            "f:a=x:int+ts,f:b=x_ts",
            "column f:b of the mapping: another column is called x_ts, too; give it a name of its own behind =",
        ),
        (
            "f:a=rowkey",
            "column f:a of the mapping: another column is called rowkey, too; give it a name of its own behind =",
        ),
        ("f:a=x,f:a=y", "column f:a of the mapping: it is there twice"),
    ]);
}

#[test]
fn all_cells_stand_alone() {
    refused(&[
        ("f:a,*", "the mapping has *, all cells as they are, and columns beside it"),
        ("*,:key=cells", "the row key cannot be called cells: the column of cells is"),
    ]);
}

#[test]
fn a_mapping_can_leave_the_row_key_out() {
    let mapping = Mapping::parse(":nokey, f:a=a:int").unwrap();
    assert_eq!(mapping.key(), None);
    let schema = mapping.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["a"]);
    let a = Column { name: "a".to_string(), column_type: ColumnType::Int, ..Column::new("f", "a") };
    assert_eq!(Mapping::without_key(vec![a]).unwrap(), mapping);
    let free = Mapping::parse(":nokey,f:a=rowkey").unwrap();
    assert_eq!(free.schema().field(0).name(), "rowkey", "the name is free without a row key");
}

#[test]
fn what_cannot_be_is_refused_without_a_text_too() {
    let decimal = |precision, scale| Column {
        column_type: ColumnType::Decimal { precision, scale },
        ..Column::new("f", "q")
    };
    for (precision, scale) in [(0, 0), (39, 0), (5, 6), (5, -1)] {
        assert!(Mapping::new(KeyColumn::default(), vec![decimal(precision, scale)]).is_err());
    }
    let key = KeyColumn { name: " k".to_string(), ..KeyColumn::default() };
    assert_eq!(
        Mapping::generic(key).unwrap_err().message,
        "the row key of the mapping: the name \" k\" begins or ends with white space"
    );
}

fn column_type() -> impl Strategy<Value = ColumnType> {
    let decimal = (1u8..=38)
        .prop_flat_map(|precision| (Just(precision), 0..=i8::try_from(precision).unwrap()))
        .prop_map(|(precision, scale)| ColumnType::Decimal { precision, scale });
    prop_oneof![(0..NAMED.len()).prop_map(|n| NAMED[n].1), decimal]
}

/// Text that is a name, some of it with characters that look like the mapping's own.
fn name() -> impl Strategy<Value = String> {
    "[a-z(*+ä€\\\\][ -~ä]{0,6}".prop_map(|text| {
        let text: String = text.chars().filter(|c| !matches!(c, ',' | ':' | '=')).collect();
        text.trim().to_string()
    })
}

fn bytes(min: usize) -> impl Strategy<Value = Vec<u8>> {
    let tricky = prop_oneof![any::<u8>(), prop::sample::select(b" ,:=\\*x0(+\t".to_vec())];
    vec(tricky, min..6)
}

fn column() -> impl Strategy<Value = Column> {
    (bytes(1), bytes(0), of(name()), column_type(), any::<bool>()).prop_map(
        |(family, qualifier, name, column_type, with_timestamp)| {
            let column = Column::new(family, qualifier);
            let name = name.unwrap_or_else(|| column.name.clone());
            Column { name, column_type, with_timestamp, ..column }
        },
    )
}

proptest! {
    #[test]
    fn a_printed_mapping_is_the_mapping(columns in vec(column(), 0..6), key in (name(), column_type()), all in any::<bool>()) {
        let key = KeyColumn { name: key.0, column_type: key.1 };
        let mapping = if all { Mapping::generic(key) } else { Mapping::new(key, columns) };
        if let Ok(mapping) = mapping {
            prop_assert_eq!(Mapping::parse(&text_of(&mapping)).unwrap(), mapping);
        }
    }

    #[test]
    fn a_text_that_parses_means_what_it_prints(text in "[fg:=,a-c*+ ()\\\\x0-9\\n]{0,40}|[fg]:[a-c=:]{1,5}(,[fg]:[a-c=:]{1,5}){0,4}") {
        if let Ok(mapping) = Mapping::parse(&text) {
            prop_assert_eq!(Mapping::parse(&text_of(&mapping)).unwrap(), mapping);
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = Mapping::parse(&text);
    }

    #[test]
    fn default_names_are_names(family in vec(any::<u8>(), 1..8), qualifier in vec(any::<u8>(), 0..8)) {
        let column = Column::new(family, qualifier);
        prop_assert!(names::check(&column.name).is_ok(), "{}", column.name);
        prop_assert!(Mapping::new(KeyColumn::default(), vec![column]).is_ok());
    }
}
