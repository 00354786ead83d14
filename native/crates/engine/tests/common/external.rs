//! Column files as jobs write them.

use grampus_store::load::ExternalFileRequest;
use grampus_testkit::wire::Cell;
use serde_json::json;

/// A family's name in requests.
pub(crate) fn hex(text: &str) -> String {
    text.bytes().map(|b| format!("{b:02x}")).collect()
}

/// The bytes of a file as a job writes it.
pub(crate) fn file_of(family: &str, cells: &[Cell]) -> Vec<u8> {
    let request = json!({"family": {"name": hex(family), "maxVersions": 1}, "createdMillis": 1}).to_string();
    let mut file = ExternalFileRequest::parse(&request).unwrap().create(Vec::new()).unwrap();
    let mut block = Vec::new();
    cells.iter().for_each(|cell| cell.encode(&mut block));
    file.append(&block).unwrap();
    file.finish().unwrap().0
}
