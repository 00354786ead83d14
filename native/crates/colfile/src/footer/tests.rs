//! Footers of each version that was written.

use super::*;
use crate::page::PAGE_BYTES_MAX;
use crate::zone_map::TimeBounds;

const PAGES_END: u64 = 1000;

fn chunk(offset: u64, kind: PageKind) -> Chunk {
    let at = PageAt { offset, stored_len: 100, raw_len: 200, kind };
    let page = PageEntry { at, first_row: 0, continues: false, first_key: Box::default() };
    Chunk { pages: vec![page], first_rows: Box::new([0]) }
}

/// One row group with two columns, the second of single puts.
fn footer(row_keys: PageKind) -> Footer {
    let stats = CellStats { cells: 5, deletes: 0, times: TimeBounds { min: 1, max: 9 } };
    let column = |qualifier| Column {
        qualifier,
        stats,
        values: ValueBounds::default(),
        single_puts: qualifier == 1,
        chunk: chunk(300, PageKind::Column),
    };
    let group = RowGroup {
        rows: 3,
        first_row: b"a".as_slice().into(),
        last_row: b"c".as_slice().into(),
        stats,
        row_keys: chunk(8, row_keys),
        family_deletes: Chunk::default(),
        columns: vec![column(0), column(1)],
        mixed: Chunk::default(),
        bloom: Chunk::default(),
        bloom_blocks: 0,
    };
    Footer {
        row_order: RowOrder::Bytes,
        bloom: BloomKind::None,
        rows: 3,
        stats,
        sequences: (1, 2),
        family_deletes: 0,
        key_bytes: 10,
        value_bytes: 20,
        qualifiers: vec![b"p".as_slice().into(), b"q".as_slice().into()],
        groups: vec![group],
    }
}

/// A footer's body with another version in front. `single_puts` is whether that version has the bits, a byte at the end.
fn body(footer: &Footer, (major, minor): (u16, u16), single_puts: bool) -> Vec<u8> {
    let mut body = footer.encode();
    body[..2].copy_from_slice(&major.to_le_bytes());
    body[2..4].copy_from_slice(&minor.to_le_bytes());
    body.truncate(body.len() - usize::from(!single_puts));
    body
}

#[test]
fn a_footer_of_each_version_has_what_that_version_brought() {
    let versions =
        [((1, 0), PageKind::RowKeys, false), ((2, 0), PageKind::Rows, false), ((2, 1), PageKind::Rows, true)];
    for (version, row_keys, single_puts) in versions {
        let mut expected = footer(row_keys);
        let mut body = body(&expected, version, single_puts);
        expected.groups[0].columns[1].single_puts = single_puts;
        assert_eq!(Footer::decode(&body, PAGES_END), Ok(expected), "{version:?}");
        body.push(0);
        assert!(Footer::decode(&body, PAGES_END).is_err(), "{version:?} has no more fields");
    }
}

/// A footer's body up to the number of its qualifiers.
fn body_without_qualifiers() -> Vec<u8> {
    let empty = Footer { qualifiers: Vec::new(), groups: Vec::new(), ..footer(PageKind::Rows) };
    let mut body = empty.encode();
    body.truncate(body.len() - 2);
    body
}

#[test]
fn no_count_exceeds_the_pages_that_the_file_has_room_for() {
    const PAGES: u64 = PAGES_END / 16;
    for count in [PAGES, PAGES + 1] {
        let mut body = body_without_qualifiers();
        put_varint(&mut body, count);
        body.resize(body.len() + 4 * count as usize, 0);
        let expected = match count {
            PAGES => "the qualifiers do not ascend",
            _ => "a count exceeds the pages that the file has room for",
        };
        assert_eq!(Footer::decode(&body, PAGES_END).unwrap_err().what, expected);
    }
    let mut footer = footer(PageKind::Rows);
    let group = &mut footer.groups[0];
    let pages = group.columns.iter_mut().map(|column| &mut column.chunk).chain([&mut group.row_keys]);
    pages.for_each(|chunk| {
        chunk.pages[0].at = PageAt { offset: 0, stored_len: 16, raw_len: 0, ..chunk.pages[0].at }
    });
    for (pages_end, is_good) in [(48, true), (47, false)] {
        assert_eq!(
            Footer::decode(&footer.encode(), pages_end).is_ok(),
            is_good,
            "three pages in {pages_end} bytes"
        );
    }
}

#[test]
fn pages_have_no_more_bytes_than_the_file() {
    let mut footer = footer(PageKind::Rows);
    let group = &mut footer.groups[0];
    group.columns.iter_mut().for_each(|column| column.chunk.pages[0].at.offset = 8);
    for (pages_end, expected) in [(300, None), (299, Some("the pages have more bytes than the file"))] {
        let decoded = Footer::decode(&footer.encode(), pages_end);
        assert_eq!(decoded.err().map(|malformed| malformed.what), expected, "three pages of 100 bytes");
    }
}

#[test]
fn a_row_group_has_no_more_rows_than_its_keys_can_tell_apart() {
    let mut footer = footer(PageKind::Rows);
    let group = &mut footer.groups[0];
    let mut second = group.row_keys.pages[0].clone();
    second.first_row = 1;
    group.row_keys.pages.push(second);
    let what = "a page of row keys has more rows than its bytes can tell apart";
    for (rows, expected) in [(1 + 201 * 1024, None), (2 + 201 * 1024, Some(what)), (u32::MAX, Some(what))] {
        (footer.groups[0].rows, footer.rows) = (rows, u64::from(rows));
        let decoded = Footer::decode(&footer.encode(), PAGES_END);
        assert_eq!(decoded.err().map(|malformed| malformed.what), expected, "{rows} rows, 200 bytes of keys");
    }
}

#[test]
fn pages_of_an_impossible_length_are_refused() {
    let lengths = |stored_len, raw_len| {
        let mut footer = footer(PageKind::Rows);
        let at = &mut footer.groups[0].row_keys.pages[0].at;
        (at.stored_len, at.raw_len) = (stored_len, raw_len);
        Footer::decode(&footer.encode(), PAGES_END).map(drop)
    };
    assert_eq!(lengths(16, 0), Ok(()));
    assert_eq!(lengths(216, 200), Ok(()));
    for (stored_len, raw_len) in [(15, 0), (217, 200), (100, PAGE_BYTES_MAX + 1)] {
        assert!(lengths(stored_len, raw_len).is_err(), "{stored_len}, {raw_len}");
    }
}

#[test]
fn a_later_minor_version_may_have_more_fields_and_a_later_major_one_is_refused() {
    let footer = footer(PageKind::Rows);
    let mut later = body(&footer, (FORMAT_MAJOR, FORMAT_MINOR + 1), true);
    later.extend_from_slice(b"more");
    assert_eq!(Footer::decode(&later, PAGES_END).as_ref(), Ok(&footer));
    for major in [FORMAT_MAJOR_MIN - 1, FORMAT_MAJOR + 1] {
        let refused = Footer::decode(&body(&footer, (major, FORMAT_MINOR), true), PAGES_END).unwrap_err();
        assert_eq!(refused.what, "unknown version", "{major}");
    }
}
