//! Cells as KeyValues.

/// A cell as it crosses the boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Row.
    pub row: Vec<u8>,
    /// Family.
    pub family: Vec<u8>,
    /// Qualifier.
    pub qualifier: Vec<u8>,
    /// Timestamp.
    pub timestamp: i64,
    /// KeyValue type code.
    pub code: u8,
    /// Value.
    pub value: Vec<u8>,
    /// Tags.
    pub tags: Vec<u8>,
}

impl Cell {
    /// A put.
    pub fn put(row: &str, family: &str, qualifier: &str, timestamp: i64, value: impl AsRef<[u8]>) -> Cell {
        Cell::new(row, family, qualifier, timestamp, 4, value)
    }

    /// A cell of any type.
    pub fn new(
        row: &str,
        family: &str,
        qualifier: &str,
        timestamp: i64,
        code: u8,
        value: impl AsRef<[u8]>,
    ) -> Cell {
        Cell {
            row: row.into(),
            family: family.into(),
            qualifier: qualifier.into(),
            timestamp,
            code,
            value: value.as_ref().to_vec(),
            tags: Vec::new(),
        }
    }

    /// With a TTL tag.
    pub fn ttl(mut self, ttl_millis: i64) -> Cell {
        self.tags = [&[0, 9, 8][..], &ttl_millis.to_be_bytes()].concat();
        self
    }

    /// KeyValue with its length.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut key = Vec::new();
        key.extend((self.row.len() as u16).to_be_bytes());
        key.extend(&self.row);
        key.push(self.family.len() as u8);
        key.extend(&self.family);
        key.extend(&self.qualifier);
        key.extend(self.timestamp.to_be_bytes());
        key.push(self.code);
        let mut body = Vec::new();
        body.extend((key.len() as u32).to_be_bytes());
        body.extend((self.value.len() as u32).to_be_bytes());
        body.extend(key);
        body.extend(&self.value);
        if !self.tags.is_empty() {
            body.extend((self.tags.len() as u16).to_be_bytes());
            body.extend(&self.tags);
        }
        out.extend((body.len() as u32).to_be_bytes());
        out.extend(body);
    }

    /// All cells of a block.
    pub fn decode_all(mut block: &[u8]) -> Vec<Cell> {
        let u32_at =
            |b: &[u8], at: usize| u32::from_be_bytes(b[at..at + 4].try_into().unwrap_or_default()) as usize;
        let mut cells = Vec::new();
        while !block.is_empty() {
            let length = u32_at(block, 0);
            let body = &block[4..4 + length];
            let (key_len, value_len) = (u32_at(body, 0), u32_at(body, 4));
            let key = &body[8..8 + key_len];
            let value = &body[8 + key_len..8 + key_len + value_len];
            let row_len = u16::from_be_bytes([key[0], key[1]]) as usize;
            let family_len = key[2 + row_len] as usize;
            let family_at = 3 + row_len;
            let tail = key_len - 9;
            cells.push(Cell {
                row: key[2..2 + row_len].to_vec(),
                family: key[family_at..family_at + family_len].to_vec(),
                qualifier: key[family_at + family_len..tail].to_vec(),
                timestamp: i64::from_be_bytes(key[tail..tail + 8].try_into().unwrap_or_default()),
                code: key[key_len - 1],
                value: value.to_vec(),
                tags: body.get(10 + key_len + value_len..).unwrap_or_default().to_vec(),
            });
            block = &block[4 + length..];
        }
        cells
    }
}
