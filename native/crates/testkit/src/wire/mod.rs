//! Encoders of requests and decoders of replies, written from `docs/jni.md` and not from the engine's code.

mod batch;
mod cell;
mod read_spec;
mod scan_info;

pub use batch::{Answer, Batch, RowOp, column_condition, decode_answers};
pub use cell::Cell;
pub use read_spec::Spec;
pub use scan_info::ScanInfo;

/// `u32 length | bytes`.
pub fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

/// JSON of an `openRegion` request with families given as JSON objects without braces, for example `"maxVersions":3`.
pub fn open_region_json(root: &str, encoded: &str, families: &[(&str, &str)]) -> String {
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02x}")).collect::<String>();
    let families: Vec<String> = families
        .iter()
        .map(|(name, rest)| {
            let rest = if rest.is_empty() { "\"maxVersions\":1".to_string() } else { rest.to_string() };
            format!("{{\"name\":\"{}\",{rest}}}", hex(name))
        })
        .collect();
    format!(
        "{{\"table\":\"t\",\"encodedName\":\"{encoded}\",\"rootDir\":\"{root}\",\
         \"regionDir\":\"{root}/data/default/t/{encoded}\",\"startKey\":\"\",\"endKey\":\"\",\
         \"rowOrder\":\"bytes\",\"durability\":3,\"families\":[{}]}}",
        families.join(",")
    )
}
