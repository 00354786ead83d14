//! What files have beside their rows, and what becomes of errors.

use std::io;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch};
use arrow_avro::reader::ReaderBuilder;
use arrow_ipc::reader::StreamReader;
use bytes::Bytes;
use grampus_base::ErrorKind;
use grampus_columns::{
    ArrowStream, AvroFile, BatchLimits, BatchReader, Compression, CsvFile, CsvOptions, CsvStyle,
    JsonLinesFile, Mapping, ParquetFile, ParquetOptions, TableFileRequest, TableWriter,
};
use grampus_store::read::ReadSpec;
use grampus_testkit::wire::{Cell, Spec};
use parquet::basic::Compression as Codec;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use serde_json::{Value, json};

use crate::common::full::Full;
use crate::common::{read_all, region, scan_all};

const ROWS: u32 = 3000;

fn cells() -> Vec<Cell> {
    let row = |n: u32| {
        let key = format!("row{n:06}");
        let noise = n.wrapping_mul(2_654_435_761).to_be_bytes().repeat(25);
        [Cell::put(&key, "f", "n", 1, n.to_be_bytes()), Cell::put(&key, "f", "noise", 1, noise)]
    };
    (0..ROWS).flat_map(row).collect()
}

fn batches(mapping: &str, spec: &Spec) -> (Mapping, Vec<RecordBatch>) {
    let mapping = Mapping::parse(mapping).unwrap();
    let scan = region(&cells()).scan(&spec.encode(), 0).unwrap();
    let mut reader =
        BatchReader::of_scan(scan, &mapping, BatchLimits { rows: 100, ..BatchLimits::default() }).unwrap();
    let batches = read_all(&mut reader).collect();
    (mapping, batches)
}

/// The footer of a file of all rows.
fn footer(mapping: &str, options: &ParquetOptions) -> ParquetMetaData {
    let (mapping, batches) = batches(mapping, &Spec::scan());
    let mut file = ParquetFile::create(Vec::new(), mapping.schema(), options).unwrap();
    batches.iter().for_each(|batch| file.write(batch).unwrap());
    let (bytes, written) = file.finish().unwrap();
    assert_eq!(written.rows, u64::from(ROWS));
    SerializedFileReader::new(Bytes::from(bytes)).unwrap().metadata().clone()
}

#[test]
fn row_groups_are_about_as_large_as_they_should_be() {
    let options = ParquetOptions { row_group_bytes: 100_000, ..ParquetOptions::default() };
    let footer = footer("f:noise", &ParquetOptions { compression: Compression::None, ..options });
    let sizes: Vec<i64> = footer.row_groups().iter().map(|group| group.compressed_size()).collect();
    // Rows have 117 bytes with the lengths of key and value.
    assert!((3..=5).contains(&sizes.len()), "{sizes:?}");
    // At most a batch more, which has 100 rows here.
    assert!(sizes[..sizes.len() - 1].iter().all(|size| (99_000..115_000).contains(size)), "{sizes:?}");
}

#[test]
fn a_file_of_many_columns_has_no_dictionaries() {
    // Beside them are the key and f:n.
    for (columns, dictionaries) in [(997, true), (998, false)] {
        let names: Vec<String> = (0..columns).map(|n| format!("f:c{n}")).collect();
        let footer = footer(&format!("f:n,{}", names.join(",")), &ParquetOptions::default());
        let group = footer.row_group(0);
        assert_eq!(group.column(1).dictionary_page_offset().is_some(), dictionaries);
        assert!(group.column(0).dictionary_page_offset().is_none());
    }
}

#[test]
fn a_key_in_which_text_is_replaced_is_not_in_order() {
    let cells: Vec<Cell> = [vec![0x80], "ä".as_bytes().to_vec()]
        .map(|row| Cell { row, ..Cell::put("", "f", "q", 1, "") })
        .to_vec();
    let mut bytes = Vec::new();
    cells.iter().for_each(|cell| cell.encode(&mut bytes));
    for (key_type, sorted) in [("string(replace)", false), ("bytes", true)] {
        let request =
            format!(r#"{{"mapping":":key=k:{key_type},f:q","format":"parquet","rowsAscend":true}}"#);
        let mut file = TableFileRequest::parse(&request).unwrap().create(Vec::new()).unwrap();
        file.append(&bytes, &[1, 1]).unwrap();
        let reader = SerializedFileReader::new(Bytes::from(file.finish().unwrap().0)).unwrap();
        assert_eq!(reader.metadata().row_group(0).sorting_columns().is_some(), sorted);
    }
}

#[test]
fn a_scan_with_batches_is_refused() {
    let spec = Spec { batch: 1, ..Spec::scan() };
    let scan = || region(&cells()).scan(&spec.encode(), 0).unwrap();
    let message = "a file needs whole rows, and the scan has a batch size; unset it";
    let mapping = Mapping::parse("f:n").unwrap();
    let refused = BatchReader::of_scan(scan(), &mapping, BatchLimits::default()).err().unwrap();
    assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::BadRequest, message));
    let request = TableFileRequest::parse(r#"{"mapping":"f:n","format":"csv"}"#).unwrap();
    let mut file = request.create(Vec::new()).unwrap();
    assert_eq!(file.begin(scan()).unwrap_err().message, message);
    file.begin(scan_all(&region(&cells()))).unwrap();
}

#[test]
fn a_file_has_its_order_its_bounds_and_what_the_caller_says() {
    let metadata = vec![("snapshot".to_string(), "s1".to_string()), ("table".to_string(), "t".to_string())];
    let options = ParquetOptions { rows_ascend: true, metadata, ..ParquetOptions::default() };
    let footer = footer(":key=id:string,f:n=n:int", &options);
    let group = footer.row_group(0);
    let sorted = group.sorting_columns().unwrap();
    assert_eq!((sorted.len(), sorted[0].column_idx, sorted[0].descending), (1, 0, false));
    let bounds = |column| match group.column(column).statistics().unwrap() {
        Statistics::Int32(s) => (s.min_opt().unwrap().to_string(), s.max_opt().unwrap().to_string()),
        Statistics::ByteArray(s) => {
            let text = |v: &parquet::data_type::ByteArray| v.as_utf8().unwrap().to_string();
            (text(s.min_opt().unwrap()), text(s.max_opt().unwrap()))
        }
        other => panic!("{other}"),
    };
    assert_eq!(bounds(0), ("row000000".to_string(), "row002999".to_string()));
    assert_eq!(bounds(1), ("0".to_string(), "2999".to_string()));
    assert_eq!(group.column(1).statistics().unwrap().null_count_opt(), Some(0));
    assert!(matches!(group.column(0).compression(), Codec::ZSTD(_)));
    let file = footer.file_metadata();
    assert!(file.created_by().unwrap().starts_with("grampus version "));
    let said = |key: &str| {
        let pairs = file.key_value_metadata().unwrap();
        pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone())
    };
    assert_eq!((said("snapshot"), said("table")), (Some("s1".to_string()), Some("t".to_string())));
}

#[test]
fn only_keys_whose_bytes_are_ordered_are_declared_so() {
    let ascending = ParquetOptions { rows_ascend: true, ..ParquetOptions::default() };
    for (mapping, options, sorted) in [
        ("f:n", ascending.clone(), true),
        ("f:n", ParquetOptions::default(), false),
        ("*", ascending.clone(), true),
    ] {
        assert_eq!(footer(mapping, &options).row_group(0).sorting_columns().is_some(), sorted, "{mapping}");
    }
    // Keys of 8 bytes as numbers: negative ones come last by their bytes, and the file does not say that it is sorted.
    let mapping = Mapping::parse(":key=id:long,f:q").unwrap();
    let long_keys: Vec<Cell> =
        [1i64, -1].map(|n| Cell { row: n.to_be_bytes().to_vec(), ..Cell::put("", "f", "q", 1, "") }).to_vec();
    let mut batches =
        BatchReader::of_scan(scan_all(&region(&long_keys)), &mapping, BatchLimits::default()).unwrap();
    let mut file = ParquetFile::create(Vec::new(), mapping.schema(), &ascending).unwrap();
    read_all(&mut batches).for_each(|batch| file.write(&batch).unwrap());
    let reader = SerializedFileReader::new(Bytes::from(file.finish().unwrap().0)).unwrap();
    assert!(reader.metadata().row_group(0).sorting_columns().is_none());
}

#[test]
fn rows_that_descend_are_no_sorted_file() {
    let (mapping, batches) = batches("f:n", &Spec::scan().with(ReadSpec::REVERSED));
    let options = ParquetOptions { rows_ascend: true, ..ParquetOptions::default() };
    let mut file = ParquetFile::create(Vec::new(), mapping.schema(), &options).unwrap();
    let error = file.write(&batches[0]).unwrap_err();
    assert_eq!(error.message, "row row002998 is not in the order that the file has");
    assert_eq!(file.write(&batches[0]).unwrap_err().kind, ErrorKind::Bug);
    assert_eq!(file.finish().unwrap_err().message, "a table's writer was used after its error");

    // Batches that are sorted each, in the wrong order.
    let mut file = ParquetFile::create(Vec::new(), mapping.schema(), &options).unwrap();
    file.write(&batches[1].slice(3, 1)).unwrap();
    assert!(file.write(&batches[1].slice(4, 1)).is_err());
}

#[test]
fn a_batch_of_other_columns_is_refused_and_does_no_harm() {
    let (mapping, batches) = batches("f:n=n:int", &Spec::scan());
    let (_, others) = self::batches("f:n=other:int", &Spec::scan());
    let mut file = JsonLinesFile::create(Vec::new(), mapping.schema());
    assert_eq!(file.write(&others[0]).unwrap_err().message, "the batch has other columns than the file");
    file.write(&batches[0]).unwrap();
    assert_eq!(file.finish().unwrap().1.rows, 100);
}

#[test]
fn lists_have_no_form_in_csv_and_one_in_json() {
    let (mapping, batches) = batches("*", &Spec::scan().column("f", "n"));
    let refused = CsvFile::create(Vec::new(), mapping.schema(), CsvStyle::Tabs).err().unwrap();
    assert_eq!(refused.message, "column cells is a list, which a table of text has no form for");
    let mut file = JsonLinesFile::create(Vec::new(), mapping.schema());
    file.write(&batches[0]).unwrap();
    let text = String::from_utf8(file.finish().unwrap().0).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        concat!(
            r#"{"rowkey":"row000000","cells":[{"family":"f","qualifier":"n","#,
            r#""timestamp":"1970-01-01T00:00:00.001Z","type":4,"value":"\\x00\\x00\\x00\\x00"}]}"#
        )
    );
}

#[test]
fn avro_has_the_types_that_others_know() {
    let mapping = ":key=id:string,f:a=a:bytes,f:b=b:byte,f:c=c:short,f:d=d:int,f:e=e:long,f:f=f:float,f:g=g:double,\
                   f:h=h:boolean,f:i=i:timestamp,f:j=j:decimal(9,3),f:k=k:long(text)+ts";
    let schema = Mapping::parse(mapping).unwrap().schema();
    let file = AvroFile::create(Vec::new(), schema, Compression::None).unwrap();
    let schema = avro_schema(&file.finish().unwrap().0);
    let time = json!({"type": "long", "logicalType": "timestamp-millis"});
    let decimal = json!({"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 3});
    let column = |name: &str, kind: Value| json!({"name": name, "type": ["null", kind]});
    let columns = json!([
        {"name": "id", "type": "string"},
        column("a", "bytes".into()),
        column("b", "int".into()),
        column("c", "int".into()),
        column("d", "int".into()),
        column("e", "long".into()),
        column("f", "float".into()),
        column("g", "double".into()),
        column("h", "boolean".into()),
        column("i", time.clone()),
        column("j", decimal),
        column("k", "long".into()),
        column("k_ts", time),
    ]);
    assert_eq!((&schema["type"], &schema["fields"]), (&json!("record"), &columns));
}

/// The schema that an Avro file begins with.
fn avro_schema(file: &[u8]) -> Value {
    let at = file.iter().position(|byte| *byte == b'{').unwrap();
    serde_json::Deserializer::from_slice(&file[at..]).into_iter().next().unwrap().unwrap()
}

#[test]
fn avro_has_all_cells_as_records() {
    let (mapping, batches) = batches("*", &Spec::scan());
    let mut file = AvroFile::create(Vec::new(), mapping.schema(), Compression::Deflate).unwrap();
    batches.iter().for_each(|batch| file.write(batch).unwrap());
    file.write(&batches[0].slice(0, 0)).unwrap();
    let (bytes, written) = file.finish().unwrap();
    assert_eq!(written.rows, u64::from(ROWS));
    let read = ReaderBuilder::new().build(bytes.as_slice()).unwrap();
    let read: Vec<RecordBatch> = read.map(Result::unwrap).collect();
    assert_eq!(read.iter().map(RecordBatch::num_rows).sum::<usize>(), ROWS as usize);
    let lists = read[0].column(1).as_list::<i32>();
    let (list, expected) = (lists.value(7), batches[0].column(1).as_list::<i32>().value(7));
    let (list, expected) = (list.as_struct(), expected.as_struct());
    assert_eq!((list.len(), lists.null_count()), (2, 0));
    for name in ["family", "qualifier", "value"] {
        assert_eq!(list.column_by_name(name), expected.column_by_name(name), "{name}");
    }
    let types = list.column_by_name("type").unwrap().as_primitive::<Int32Type>();
    assert_eq!(types.values(), &[4, 4]);
    let times = list.column_by_name("timestamp").unwrap().as_primitive::<TimestampMillisecondType>();
    assert_eq!(times.values(), &[1, 1]);
}

#[test]
fn an_arrow_stream_has_the_batches_as_they_are() {
    let (mapping, batches) = batches("f:n=n:int,f:noise,f:none=none:string", &Spec::scan());
    let mut stream = ArrowStream::create(Vec::new(), mapping.schema()).unwrap();
    batches.iter().for_each(|batch| stream.write(batch).unwrap());
    stream.write(&batches[0].slice(0, 0)).unwrap();
    let (bytes, written) = stream.finish().unwrap();
    assert_eq!((written.rows, written.bytes), (u64::from(ROWS), bytes.len() as u64));
    assert!(bytes.ends_with(&[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]), "the mark of the end");
    let read = StreamReader::try_new(bytes.as_slice(), None).unwrap();
    assert_eq!(read.schema().fields(), mapping.schema().fields());
    assert_eq!(read.map(Result::unwrap).collect::<Vec<_>>(), batches);
}

/// Keeps what was flushed apart from what was not.
#[derive(Default)]
struct Held {
    written: Vec<u8>,
    flushed: usize,
}

impl io::Write for &mut Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = self.written.len();
        Ok(())
    }
}

/// A reader waits for the schema, and the first batch may be far: a scan that keeps one row in a million.
#[test]
fn an_arrow_stream_hands_on_its_schema_before_the_first_batch() {
    let (mapping, _) = batches("f:n=n:int", &Spec::scan());
    let mut held = Held::default();
    drop(ArrowStream::create(&mut held, mapping.schema()).unwrap());
    assert!(held.flushed > 0 && held.flushed == held.written.len());
    let read = StreamReader::try_new(held.written.as_slice(), None).unwrap();
    assert_eq!(read.schema().fields(), mapping.schema().fields());
}

#[test]
fn names_that_avro_does_not_have_are_refused() {
    for (mapping, name) in
        [("f:a-b", "f_a-b"), (r"f:\x00", r"f_\x00"), (":key=1:string,f:q", "1"), ("f:q=ä", "ä")]
    {
        let schema = Mapping::parse(mapping).unwrap().schema();
        let error = AvroFile::create(Vec::new(), schema, Compression::USUAL_OF_AVRO).err().unwrap();
        assert_eq!(error.kind, ErrorKind::BadRequest);
        assert!(
            error.message.starts_with(&format!("the column {name:?} cannot be called so")),
            "{}",
            error.message
        );
        assert!(error.message.contains("give it a name in the mapping"), "{}", error.message);
    }
}

#[test]
fn a_table_of_text_may_lack_its_header() {
    let (mapping, batches) = batches("f:n=n:int", &Spec::scan());
    for (style, line) in [(CsvStyle::Quoted, "row000000,0\r\n"), (CsvStyle::Tabs, "row000000\t0\n")] {
        let bare = CsvOptions { style, header: false };
        let mut file = CsvFile::create(Vec::new(), mapping.schema(), bare).unwrap();
        file.write(&batches[0]).unwrap();
        let (bytes, written) = file.finish().unwrap();
        assert_eq!((written.rows, written.bytes), (100, bytes.len() as u64));
        assert!(bytes.starts_with(line.as_bytes()));
    }
}

#[test]
fn null_and_the_empty_text_are_told_apart_where_they_can_be() {
    let cells = [Cell::put("a", "f", "x", 1, ""), Cell::put("b", "f", "y", 1, "1")];
    let mapping = Mapping::parse("f:x=x:string,f:y").unwrap();
    let of = |style| {
        let mut file = CsvFile::create(Vec::new(), mapping.schema(), style).unwrap();
        let mut reader =
            BatchReader::of_scan(scan_all(&region(&cells)), &mapping, BatchLimits::default()).unwrap();
        file.write(&reader.next_batch().unwrap().unwrap()).unwrap();
        String::from_utf8(file.finish().unwrap().0).unwrap()
    };
    assert_eq!(of(CsvStyle::Quoted), "rowkey,x,f_y\r\na,\"\",\r\nb,,1\r\n");
    assert_eq!(of(CsvStyle::Tabs), "rowkey\tx\tf_y\na\t\t\nb\t\t1\n");
}

/// Writes batches until an error, which must be the sink's, and once more.
fn fails(mut file: impl TableWriter, batches: &[RecordBatch]) {
    let error = batches.iter().find_map(|batch| file.write(batch).err());
    let error = match error {
        Some(error) => {
            assert_eq!(file.write(&batches[0]).unwrap_err().kind, ErrorKind::Bug);
            assert_eq!(file.finish().err().unwrap().kind, ErrorKind::Bug);
            error
        }
        None => file.finish().err().unwrap(),
    };
    assert_eq!((error.kind, error.source.unwrap().kind()), (ErrorKind::Io, io::ErrorKind::StorageFull));
}

#[test]
fn a_sink_that_is_full_is_an_error_of_every_writer() {
    let (mapping, batches) = batches("f:n,f:noise", &Spec::scan());
    for room in [0, 100, 100_000, 300_000] {
        let csv = CsvFile::create(Full(room), mapping.schema(), CsvStyle::Quoted).unwrap();
        fails(csv, &batches);
        fails(JsonLinesFile::create(Full(room), mapping.schema()), &batches);
        match AvroFile::create(Full(room), mapping.schema(), Compression::None) {
            Ok(file) => fails(file, &batches),
            Err(error) => {
                assert_eq!(error.source.unwrap().kind(), io::ErrorKind::StorageFull);
                assert!(error.kind == ErrorKind::Io && room <= 100);
            }
        }
        match ArrowStream::create(Full(room), mapping.schema()) {
            Ok(stream) => fails(stream, &batches),
            Err(error) => {
                assert_eq!(error.source.unwrap().kind(), io::ErrorKind::StorageFull);
                assert!(error.kind == ErrorKind::Io && room <= 100);
            }
        }
        let options = ParquetOptions {
            compression: Compression::None,
            row_group_bytes: 50_000,
            ..ParquetOptions::default()
        };
        match ParquetFile::create(Full(room), mapping.schema(), &options) {
            Ok(file) => fails(file, &batches),
            Err(error) => assert_eq!((error.kind, room), (ErrorKind::Io, 0)),
        }
    }
}

/// Two scans of half of the rows each, and the rest of the table as blocks of cells.
#[test]
fn a_file_takes_scans_and_blocks() {
    let third = |from: &str, to: &str| Spec { start: from.into(), stop: to.into(), ..Spec::scan() }.encode();
    let region = region(&cells());
    let request = r#"{"mapping":":key=k:string,f:n=n:int","format":"csv"}"#;
    let mut file = TableFileRequest::parse(request).unwrap().create(Vec::new()).unwrap();
    for (from, to) in [("", "row001000"), ("row001000", "row002000")] {
        file.begin(region.scan(&third(from, to), 0).unwrap()).unwrap();
        while file.advance().unwrap() {}
    }
    for block in cells().get(4000..).unwrap().chunks(600) {
        let mut bytes = Vec::new();
        block.iter().for_each(|cell| cell.encode(&mut bytes));
        file.append(&bytes, &vec![2; block.len() / 2]).unwrap();
    }
    let (bytes, written) = file.finish().unwrap();
    let lines: String = (0..ROWS).map(|n| format!("row{n:06},{n}\r\n")).collect();
    assert_eq!(String::from_utf8(bytes).unwrap(), format!("k,n\r\n{lines}"));
    assert_eq!(written.rows, u64::from(ROWS));
}

#[test]
fn a_file_without_all_of_its_rows_is_not_completed() {
    let request = |format| format!(r#"{{"mapping":"f:n=n:string","format":"{format}"}}"#);
    for format in ["parquet", "avro", "csv", "jsonl", "arrows"] {
        let create = || TableFileRequest::parse(&request(format)).unwrap().create(Vec::new()).unwrap();
        let mut unread = create();
        unread.begin(scan_all(&region(&cells()))).unwrap();
        assert_eq!(unread.begin(scan_all(&region(&cells()))).unwrap_err().kind, ErrorKind::Bug);
        assert_eq!(unread.finish().unwrap_err().kind, ErrorKind::Bug);

        let mut failed = create();
        let cell = Cell::put("r", "f", "n", 1, [0xFF]);
        let mut bytes = Vec::new();
        cell.encode(&mut bytes);
        let error = failed.append(&bytes, &[1]).unwrap_err();
        assert!(error.message.contains("UTF-8"), "{}", error.message);
        assert_eq!(failed.append(&[], &[]).unwrap_err().kind, ErrorKind::Bug);
        assert_eq!(failed.begin(scan_all(&region(&cells()))).unwrap_err().kind, ErrorKind::Bug);
        assert_eq!(failed.finish().unwrap_err().kind, ErrorKind::Bug);
    }
}
