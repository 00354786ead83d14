use super::*;

fn page(rows: &[u32]) -> Vec<u8> {
    let timestamps = rows.iter().map(|r| ints::from_i64(i64::from(*r) - 5)).collect();
    let n = rows.len();
    CellColumns {
        rows: rows.to_vec(),
        timestamps,
        shares: (false, false),
        types: vec![4; n],
        sequences: vec![0; n],
        tags: vec![b""; n],
        qualifiers: Vec::new(),
        values: vec![b"v"; n],
    }
    .encode(Target::of(crate::Compression::None))
}

#[test]
fn every_presence_finds_every_row_from_any_hint() {
    let bitmap: Vec<u32> = (10..400).filter(|r| r % 3 != 1 || r % 7 == 0).collect();
    let sparse: Vec<u32> = (0..40).map(|r| 3 + r * r * 50).collect();
    let versions: Vec<u32> = (0..100).flat_map(|r| vec![r * 2; (r % 4) as usize + 1]).collect();
    for rows in [(5..50).collect::<Vec<u32>>(), bitmap, sparse, versions] {
        let body = page(&rows);
        let parsed = CellPage::parse(&body).unwrap();
        let mut at = parsed.first();
        for row in 0..rows[rows.len() - 1] + 3 {
            let index = rows.partition_point(|r| *r < row);
            let expected = rows.get(index).map(|r| CellAt { index: index as u32, row: *r });
            assert_eq!(parsed.at_or_above(&body, row, parsed.first()), expected);
            assert_eq!(parsed.at_or_above(&body, row, at), expected, "row {row} from {at:?}");
            at = expected.filter(|e| e.row == row).unwrap_or(at);
        }
        let last = rows[rows.len() - 1];
        for row in [last + 64, last + 65, last + 1000, u32::MAX] {
            assert_eq!(parsed.at_or_above(&body, row, parsed.first()), None, "row {row} is behind the last");
        }
        let mut walked = vec![parsed.first()];
        while let Some(next) = parsed.next(&body, walked[walked.len() - 1]) {
            walked.push(next);
        }
        assert_eq!(walked.iter().map(|c| c.row).collect::<Vec<_>>(), rows);
        assert_eq!(parsed.timestamp(&body, 0, || None), Ok(i64::from(rows[0]) - 5));
    }
}

/// A page of empty puts of one row that all have one timestamp.
fn page_of_one_row(cells: u32) -> Vec<u8> {
    let zeros = |body: &mut Vec<u8>| {
        body.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        body.extend_from_slice(&cells.to_le_bytes());
    };
    let mut body = vec![0, 0, 0, 0, 0];
    body.extend_from_slice(&cells.to_le_bytes());
    body.push(PRESENCE_ROWS);
    zeros(&mut body);
    zeros(&mut body);
    body
}

#[test]
fn a_row_has_no_more_cells_than_the_bytes_of_its_page_can_tell_apart() {
    let most = CELLS_UNBOUND as u32;
    assert_eq!(CellPage::parse(&page_of_one_row(most)).unwrap().cells, most);
    for cells in [most + 1, u32::MAX] {
        let refused = CellPage::parse(&page_of_one_row(cells)).unwrap_err();
        assert_eq!(refused.what, "more cells than the page's bytes can tell apart");
    }
}

#[test]
fn a_page_knows_the_row_behind_its_last() {
    for rows in [vec![3, 4, 5], vec![3, 3, 5], (3..100).chain([200]).collect(), vec![3, 1_000_000]] {
        let body = page(&rows);
        let parsed = CellPage::parse(&body).unwrap();
        assert_eq!(parsed.rows_end(&body), u64::from(rows[rows.len() - 1]) + 1, "{rows:?}");
    }
}

#[test]
fn a_search_for_a_wanted_value_evaluates_a_bounded_number_of_cells() {
    let rows: Vec<u32> = (0..200_000).collect();
    let values: Vec<&[u8]> =
        rows.iter().map(|row| if row % 2 == 0 { &b"even"[..] } else { b"odd" }).collect();
    let columns = CellColumns { timestamps: vec![0; rows.len()], values, rows, ..CellColumns::default() };
    let body = columns.encode(Target::of(crate::Compression::None));
    let page = CellPage::parse(&body).unwrap();
    let (mut at, mut calls, mut matches) = (page.first(), 0, CodeMatches::default());
    while at.row < 199_999 {
        let row = page.first_wanted_after(&body, at, &mut matches, || false, |_| Verdict::Unwanted).unwrap();
        assert!((1..=1 + CELLS_PER_SEARCH_MAX).contains(&(row - at.row)), "{row} after {at:?}");
        (at, calls) = (page.at_or_above(&body, row, at).unwrap(), calls + 1);
    }
    assert_eq!(calls, 4, "the last cell is looked at by itself");
}

#[test]
fn rows_that_do_not_ascend_do_not_lead_back() {
    let rows: Vec<u32> = [vec![0], vec![9; 20], vec![1; 30]].concat();
    let body = page(&rows);
    let page = CellPage::parse(&body).unwrap();
    for index in 21..51 {
        let found = page.at_or_above(&body, 9, CellAt { index, row: 1 });
        assert!(found.is_none_or(|found| found.index > index), "{found:?} from {index}");
    }
}

/// A page whose bitmap has zeros behind the bit of its last cell, which no writer leaves.
fn with_zeros_behind(body: &[u8], zeros: u32) -> Vec<u8> {
    const BITS_AT: usize = 10;
    let (head, rest) = body.split_at(BITS_AT);
    let (bits, rest) = rest.split_at(4);
    let bits = u32::from_le_bytes(bits.try_into().unwrap());
    let (bitmap, rest) = rest.split_at(bits.div_ceil(8) as usize);
    let more = (bits + zeros).div_ceil(8) as usize - bitmap.len();
    [head, &(bits + zeros).to_le_bytes(), bitmap, &vec![0; more], rest].concat()
}

#[test]
fn a_bitmap_with_zeros_behind_its_last_cell_ends_there() {
    let rows: Vec<u32> = (10..400).filter(|row| row % 3 != 1).collect();
    for zeros in [1, 63, 64, 65, 1000] {
        let body = with_zeros_behind(&page(&rows), zeros);
        let parsed = CellPage::parse(&body).unwrap();
        let last = CellAt { index: rows.len() as u32 - 1, row: 399 };
        assert_eq!(parsed.at_or_above(&body, 399, parsed.first()), Some(last), "{zeros} zeros");
        assert_eq!(parsed.next(&body, last), None, "{zeros} zeros");
        for row in [400, 400 + zeros / 2, 399 + zeros, 400 + zeros, u32::MAX] {
            assert_eq!(parsed.at_or_above(&body, row, last), None, "row {row}, {zeros} zeros");
            assert_eq!(parsed.at_or_above(&body, row, parsed.first()), None, "row {row}, {zeros} zeros");
        }
        assert_eq!(parsed.timestamp(&body, last.index, || None), Ok(394));
    }
}
