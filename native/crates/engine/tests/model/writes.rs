//! Operations that change the table.

use grampus_env::Env;
use grampus_testkit::model::Query;
use grampus_testkit::wire::{Answer, Batch, Cell, RowOp, column_condition};

use crate::world::World;

/// How far timestamps that the server makes may be ahead of its clock, in milliseconds.
const AHEAD_MILLIS: i64 = 10;

impl World {
    pub(crate) fn put(&mut self) {
        let mut batch = Batch::new();
        let mut written = Vec::new();
        for _ in 0..=self.random.below(6) {
            let row = self.row();
            let cells: Vec<Cell> = (0..=self.random.below(3)).map(|_| self.put_cell(&row)).collect();
            batch = batch.row_op(RowOp::put(&cells));
            written.extend(cells);
        }
        assert!(self.mutate(&batch).iter().all(|a| *a == Answer::Done));
        self.write_all(written);
    }

    pub(crate) fn delete(&mut self) {
        let row = self.row();
        let qualifier = format!("q{}", self.random.below(5));
        let marker = match self.random.below(6) {
            0 => Cell::new(&row, "flat", &qualifier, self.next_stamp(), 12, ""),
            1 => Cell::new(&row, "flat", "", self.next_stamp(), 14, ""),
            2 => Cell::new(&row, "deep", &qualifier, self.next_stamp(), 12, ""),
            3 if self.random.one_in(3) => Cell::new(&row, "deep", "", self.next_stamp(), 14, ""),
            kind => {
                let stamps = self.model.timestamps(row.as_bytes(), b"deep", qualifier.as_bytes());
                let Some(newest) = stamps.first().copied() else { return };
                if kind == 4 {
                    // The server finds the newest version.
                    let latest = Cell::new(&row, "deep", &qualifier, i64::MAX, 8, "");
                    self.mutate(&Batch::new().row_op(RowOp::delete(&[latest])));
                    self.model.write(Cell::new(&row, "deep", &qualifier, newest, 8, ""));
                    return;
                }
                let stamp = *self.random.pick(&stamps);
                if self.random.one_in(2) {
                    Cell::new(&row, "deep", &qualifier, stamp, 8, "")
                } else {
                    Cell::new(&row, "deep", "", stamp, 10, "")
                }
            }
        };
        assert_eq!(
            self.mutate(&Batch::new().row_op(RowOp::delete(std::slice::from_ref(&marker)))),
            [Answer::Done]
        );
        self.model.write(marker);
    }

    /// An increment or append of a column of its own, so that no marker of a single version meets the timestamps it makes.
    pub(crate) fn modify(&mut self) {
        let row = self.row();
        let family = *self.random.pick(&["deep", "flat"]);
        let add = self.random.one_in(2);
        let qualifier = if add { "n" } else { "s" };
        let stamp = self.next_stamp();
        self.nonce += 1;
        let delta = if add { self.random.below(100).to_be_bytes().to_vec() } else { b"x".to_vec() };
        let cell = Cell::put(&row, family, qualifier, stamp, &delta);
        let op = if add { RowOp::increment(self.nonce, &[cell]) } else { RowOp::append(self.nonce, &[cell]) };
        let batch = Batch::new().row_op(op);
        let asked = self.env.now_millis();
        let answers = self.mutate(&batch);
        let [Answer::Cells(cells)] = answers.as_slice() else { panic!("{answers:?}") };
        let columns = [(family.as_bytes().to_vec(), vec![qualifier.as_bytes().to_vec()])].into();
        let before = self.model.get(row.as_bytes(), &Query { columns, ..Query::newest() });
        let long = |b: &[u8]| u64::from_be_bytes(b.try_into().unwrap());
        let given = cells[0].timestamp;
        let value = match before.first() {
            Some(old) => {
                self.check_stamp_after(old.timestamp, given, asked);
                if add {
                    (long(&old.value) + long(&delta)).to_be_bytes().to_vec()
                } else {
                    [&old.value[..], b"x"].concat()
                }
            }
            None => {
                assert_eq!(given, stamp);
                delta
            }
        };
        assert_eq!(cells[0].value, value);
        self.write_all(cells.clone());
        if self.random.one_in(3) {
            assert_eq!(self.mutate(&batch), answers, "the same nonce again");
        }
    }

    /// A cell that is counted on gets a timestamp above the old one's, unless that is as far ahead of the clock as may be, and no later one
    /// than other writes of its row or the clock ask for (docs/design/0020).
    fn check_stamp_after(&self, old: i64, given: i64, asked: i64) {
        // The clock goes on while a broken segment is replaced.
        let now = self.env.now_millis();
        let at_limit = (asked + AHEAD_MILLIS..=now + AHEAD_MILLIS).contains(&old);
        let first = if at_limit { old } else { asked.max(old + 1) };
        assert!(
            (first..=first.max(now + AHEAD_MILLIS)).contains(&given),
            "{given} after {old} at {asked} to {now}"
        );
    }

    pub(crate) fn check(&mut self) {
        let row = self.row();
        let qualifier = format!("q{}", self.random.below(5));
        let columns = [(b"deep".to_vec(), vec![qualifier.as_bytes().to_vec()])].into();
        let current = self.model.get(row.as_bytes(), &Query { columns, ..Query::newest() });
        let expected = match current.first() {
            Some(cell) if self.random.one_in(2) => cell.value.clone(),
            Some(_) => b"something else".to_vec(),
            None => Vec::new(),
        };
        let holds = current.first().map_or(expected.is_empty(), |cell| cell.value == expected);
        let cells = vec![self.put_cell(&row), self.put_cell(&row)];
        let condition = column_condition("deep", &qualifier, 2, &expected);
        let answers = self.mutate(&Batch::new().check(&row, &condition, vec![RowOp::put(&cells)]));
        assert_eq!(answers, [if holds { Answer::Done } else { Answer::NotMatched }]);
        if holds {
            self.write_all(cells);
        }
    }

    pub(crate) fn atomic(&mut self) {
        let rows: Vec<String> = (0..3).map(|_| self.row()).collect();
        let cells: Vec<Cell> = rows.iter().map(|row| self.put_cell(row)).collect();
        let ops = cells.iter().map(|cell| RowOp::put(std::slice::from_ref(cell))).collect();
        assert_eq!(self.mutate(&Batch::new().multi_row(ops)), [Answer::Done]);
        self.write_all(cells);
    }
}
