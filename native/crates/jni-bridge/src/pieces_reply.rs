//! The pieces of a region as they cross to Java (docs/jni.md).

use grampus_base::to_hex;
use grampus_store::fileset::Piece;
use serde_json::{Value, json};

/// The reply as JSON.
pub(crate) fn encode(pieces: Vec<Piece>) -> String {
    let document = |piece: Piece| json!({"firstRow": to_hex(&piece.first_row), "bytes": piece.bytes});
    Value::from(pieces.into_iter().map(document).collect::<Vec<Value>>()).to_string()
}
