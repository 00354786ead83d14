//! The encodings of byte strings.

/// An encoding of byte strings; the discriminants are the tags on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Encoding {
    Plain = 1,
    Fixed = 2,
    Constant = 3,
    Dictionary = 4,
    Number = 5,
    Decimal = 6,
    Template = 7,
    Scaled = 8,
    Symbols = 9,
}

impl Encoding {
    /// Those that need nothing but the strings.
    pub(crate) const ALL: [Encoding; 8] = [
        Encoding::Constant,
        Encoding::Number,
        Encoding::Decimal,
        Encoding::Scaled,
        Encoding::Template,
        Encoding::Dictionary,
        Encoding::Fixed,
        Encoding::Plain,
    ];

    /// What the encoding is called, for tools.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Plain => "plain",
            Encoding::Fixed => "fixed",
            Encoding::Constant => "constant",
            Encoding::Dictionary => "dictionary",
            Encoding::Number => "number",
            Encoding::Decimal => "decimal",
            Encoding::Template => "template",
            Encoding::Scaled => "scaled",
            Encoding::Symbols => "symbols",
        }
    }
}
