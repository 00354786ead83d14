//! A regular pattern as an automaton over bytes or characters.

use regex::RegexBuilder;
use regex::bytes::RegexBuilder as BytesRegexBuilder;

use super::charset::Charset;
use super::syntax::{Beyond, Node, RegularPattern, Set};
use super::{PatternEngine, PatternSource};

const AUTOMATON_BYTES_MAX: usize = 1 << 22;

/// What a translated pattern says of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// The pattern occurs.
    Occurs,
    /// It does not.
    Absent,
    /// The bytes are no text of the charset.
    Unknown,
}

impl From<bool> for Occurrence {
    fn from(occurs: bool) -> Occurrence {
        if occurs { Occurrence::Occurs } else { Occurrence::Absent }
    }
}

enum Automaton {
    Bytes(regex::bytes::Regex),
    Text(regex::Regex),
}

/// A translated pattern.
///
/// Java's `$` is the end and the place in front of a line terminator that ends the text. In the automaton it is the end alone, and
/// bytes that end with a terminator are searched with and without it. So `$` has to be the last of its branch.
pub(super) struct Translation {
    automaton: Automaton,
    charset: Charset,
    at_end: bool,
    unix_lines: bool,
}

impl Translation {
    /// The translation, unless the pattern is not regular or too large.
    pub(super) fn of(source: &PatternSource) -> Option<Translation> {
        if source.engine != PatternEngine::Java {
            return None;
        }
        let charset = Charset::of(&source.charset)?;
        let regular = RegularPattern::parse(source)?;
        let text = expression(&regular, charset);
        let automaton = match charset {
            Charset::Utf8 => {
                Automaton::Text(RegexBuilder::new(&text).size_limit(AUTOMATON_BYTES_MAX).build().ok()?)
            }
            Charset::Latin1 | Charset::Ascii => Automaton::Bytes(
                BytesRegexBuilder::new(&text).unicode(false).size_limit(AUTOMATON_BYTES_MAX).build().ok()?,
            ),
        };
        let at_end = regular.branches.iter().any(|branch| branch.at_end);
        Some(Translation { automaton, charset, at_end, unix_lines: regular.unix_lines })
    }

    /// False when some bytes are [`Occurrence::Unknown`].
    pub(super) fn decides_all_bytes(&self) -> bool {
        self.charset != Charset::Utf8
    }

    /// Whether the pattern occurs in the bytes.
    pub(super) fn search(&self, bytes: &[u8]) -> Occurrence {
        match &self.automaton {
            Automaton::Bytes(automaton) => {
                let cut = self.without_line_end(bytes);
                (automaton.is_match(bytes) || cut.is_some_and(|cut| automaton.is_match(cut))).into()
            }
            Automaton::Text(automaton) => {
                let Ok(text) = std::str::from_utf8(bytes) else { return Occurrence::Unknown };
                // A terminator is one character, so the text without it is text.
                let cut = self.without_line_end(bytes).and_then(|cut| text.get(..cut.len()));
                (automaton.is_match(text) || cut.is_some_and(|cut| automaton.is_match(cut))).into()
            }
        }
    }

    fn without_line_end<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if self.at_end { self.charset.without_line_end(bytes, self.unix_lines) } else { None }
    }
}

fn expression(regular: &RegularPattern, charset: Charset) -> String {
    let mut text = String::new();
    for (index, branch) in regular.branches.iter().enumerate() {
        if index > 0 {
            text.push('|');
        }
        if branch.at_start {
            text.push_str(r"\A");
        }
        write_node(&branch.node, charset, &mut text);
        if branch.at_end {
            text.push_str(r"\z");
        }
    }
    text
}

fn write_node(node: &Node, charset: Charset, text: &mut String) {
    match node {
        Node::Set(set) => write_set(set, charset, text),
        Node::Sequence(nodes) => nodes.iter().for_each(|node| write_node(node, charset, text)),
        Node::Choice(nodes) => {
            text.push_str("(?:");
            for (index, node) in nodes.iter().enumerate() {
                if index > 0 {
                    text.push('|');
                }
                write_node(node, charset, text);
            }
            text.push(')');
        }
        Node::Repeat { node, min, max } => {
            write_node(node, charset, text);
            match max {
                Some(max) => text.push_str(&format!("{{{min},{max}}}")),
                None => text.push_str(&format!("{{{min},}}")),
            }
        }
    }
}

fn write_set(set: &Set, charset: Charset, text: &mut String) {
    // U+FFFD, which every byte from 0x80 on is in US-ASCII, is above U+00FF.
    let has = |character: u8| match charset {
        Charset::Ascii if character >= 0x80 => set.beyond != Beyond::None,
        _ => set.has(character),
    };
    let mut ranges = String::new();
    let mut from = 0u16;
    while from <= 0xff {
        let run = (from..=0xff).take_while(|c| u8::try_from(*c).is_ok_and(&has)).count();
        let Ok(run) = u16::try_from(run) else { break };
        if run > 0 {
            ranges.push_str(&format!(r"\x{from:02x}-\x{:02x}", from + run - 1));
        }
        from += run + 1;
    }
    if charset == Charset::Utf8 {
        ranges.push_str(match set.beyond {
            Beyond::None => "",
            Beyond::All => r"\x{100}-\x{10ffff}",
            Beyond::NoLineEnds => r"\x{100}-\x{2027}\x{202a}-\x{10ffff}",
        });
    }
    match (ranges.is_empty(), charset) {
        (false, _) => text.push_str(&format!("[{ranges}]")),
        (true, Charset::Utf8) => text.push_str(r"[^\x00-\x{10ffff}]"),
        (true, _) => text.push_str(r"[^\x00-\xff]"),
    }
}
