//! What pages hold.

/// What a page's body holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PageKind {
    /// Row keys of a row group.
    RowKeys = 1,
    /// Family delete markers of a row group.
    FamilyDeletes = 2,
    /// Cells of one qualifier.
    Column = 3,
    /// Cells of the rare qualifiers.
    Mixed = 4,
    /// Blocks of a bloom filter.
    Bloom = 5,
    /// The file's footer.
    Footer = 6,
    /// Row keys of a row group, and what the cells of each row share; since format 2, in place of [`PageKind::RowKeys`].
    Rows = 7,
}

impl PageKind {
    /// All of them, in code order.
    pub const ALL: [PageKind; 7] = [
        PageKind::RowKeys,
        PageKind::FamilyDeletes,
        PageKind::Column,
        PageKind::Mixed,
        PageKind::Bloom,
        PageKind::Footer,
        PageKind::Rows,
    ];

    /// The kind of a format code.
    pub fn from_code(code: u8) -> Option<PageKind> {
        PageKind::ALL.into_iter().find(|k| *k as u8 == code)
    }
}
