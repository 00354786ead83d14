//! Tails of HFiles that HBase 2.6.1 wrote, each of one cell and with a sequence id of 7, and of what is damaged.

use std::path::Path;

use super::*;
use crate::memory_file::MemoryFile;

fn golden(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn info_of(bytes: Vec<u8>) -> Result<FileInfo> {
    read_file_info(&MemoryFile(bytes))
}

/// The file with a trailer that has one more field.
fn with_field(mut file: Vec<u8>, field: u64, bytes: &[u8]) -> Vec<u8> {
    let trailer_at = file.len() - TRAILER_BYTES;
    let len_at = trailer_at + 8;
    let len = usize::from(file[len_at]);
    assert!(len < 0x80 - 16, "one byte of length");
    let mut more = Vec::new();
    protobuf::put_bytes(&mut more, field, bytes);
    file[len_at] += u8::try_from(more.len()).unwrap();
    file[len_at + 1 + len..][..more.len()].copy_from_slice(&more);
    file
}

#[test]
fn a_file_info_that_hbase_left_open_is_read_whatever_its_checksums() {
    for name in ["crc32c", "crc32", "null"] {
        let info = info_of(golden(&format!("hfile/{name}.hfile"))).unwrap();
        assert_eq!(info.long(info_keys::MAX_SEQ_ID), Some(7), "{name}");
    }
    let mut damaged = golden("hfile/crc32.hfile");
    let info_at = damaged.windows(4).position(|w| w == b"PBUF").unwrap();
    damaged[info_at + 20] ^= 1;
    assert!(matches!(info_of(damaged), Err(Error::Corrupt { .. })));
}

#[test]
fn a_file_info_that_hbase_compressed_encrypted_or_wrote_otherwise_is_empty() {
    let open = golden("hfile/crc32c.hfile");
    let other_version = |mut file: Vec<u8>, version: [u8; 4]| {
        let at = file.len() - 4;
        file[at..].copy_from_slice(&version);
        file
    };
    let mut version_2 = open[..open.len() - TRAILER_BYTES].to_vec();
    version_2.extend_from_slice(b"TRABLK\"$");
    version_2.resize(version_2.len() + 200, 0);
    version_2.extend_from_slice(&[3, 0, 0, 2]);
    assert!(version_2.len() < TRAILER_BYTES, "shorter than a trailer of version 3");
    let files = [
        ("compressed", golden("hfile/gz.hfile")),
        ("encrypted", with_field(open.clone(), 13, b"key")),
        ("version 2", version_2),
        ("version 4", other_version(open.clone(), [0, 0, 0, 4])),
    ];
    for (what, file) in files {
        assert_eq!(info_of(file).unwrap(), FileInfo::default(), "{what}");
    }
    assert_ne!(info_of(with_field(open, 99, b"key")).unwrap(), FileInfo::default());
}

#[test]
fn a_column_file_whose_tail_is_damaged_is_no_file_of_hbases() {
    let file = golden("colfile/v2/none.colfile");
    let version_at = file.len() - 1;
    let info_at = file.windows(8).rposition(|w| w == block::MAGIC_FILE_INFO).unwrap();
    assert!(info_of(file.clone()).is_ok());
    for (at, byte) in [(version_at, 2), (version_at, 4), (info_at + 24, 0)] {
        let mut damaged = file.clone();
        damaged[at] = byte;
        assert!(matches!(info_of(damaged), Err(Error::Corrupt { .. })), "byte {at}");
    }
    for file in [Vec::new(), b"a text".to_vec(), vec![0; 5000]] {
        assert!(matches!(info_of(file), Err(Error::Corrupt { .. })));
    }
}
