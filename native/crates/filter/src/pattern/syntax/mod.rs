//! The patterns of regular form: those that mean a regular language in `java.util.regex`, whatever its order of search.
//!
//! Regular are literals, `\Q..\E`, escaped punctuation, `\t \n \r \f \a \e \xhh`, `\d \w \s` and their negations, `.`, classes of such
//! characters and ranges, groups that capture or not, alternation, `* + ?` and `{n,m}` in their greedy and lazy forms, `^` at the start and
//! `$` at the end of a top-level branch, and the flags `(?dis)` at the very start. Everything else is not: the parser returns `None` and
//! Java decides. It does so as well where Java's reading of a regular form is not obvious: a repeated group must have one width above 0,
//! and characters above U+00FF are not regular.

mod classes;

use std::iter::Peekable;
use std::str::Chars;

use super::PatternSource;

/// Flags of `java.util.regex.Pattern`.
pub(super) const UNIX_LINES: u32 = 1;
/// ASCII letters of either case are the same.
pub(super) const CASE_INSENSITIVE: u32 = 2;
/// The pattern is text.
pub(super) const LITERAL: u32 = 16;
/// A dot is any character.
pub(super) const DOTALL: u32 = 32;

const TEXT_BYTES_MAX: usize = 64 << 10;
const DEPTH_MAX: u32 = 32;
const REPEAT_MAX: u32 = 1000;

/// A set of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set {
    /// One bit for each character up to U+00FF.
    pub low: [u64; 4],
    /// The characters above.
    pub beyond: Beyond,
}

/// Characters above U+00FF in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// None.
    None,
    /// All.
    All,
    /// All but the line terminators U+2028 and U+2029.
    NoLineEnds,
}

impl Set {
    const EMPTY: Set = Set { low: [0; 4], beyond: Beyond::None };

    /// Whether a character up to U+00FF is in the set.
    pub(super) fn has(&self, character: u8) -> bool {
        self.low[usize::from(character >> 6)] >> (character & 63) & 1 == 1
    }

    fn add(&mut self, character: u8) {
        self.low[usize::from(character >> 6)] |= 1 << (character & 63);
    }

    fn add_range(&mut self, first: u8, last: u8) {
        (first..=last).for_each(|character| self.add(character));
    }

    fn add_set(&mut self, other: &Set) {
        self.low.iter_mut().zip(other.low).for_each(|(bits, more)| *bits |= more);
        if other.beyond != Beyond::None {
            self.beyond = other.beyond;
        }
    }

    /// Java compares ASCII letters alone, unless it is told otherwise.
    fn add_other_cases(&mut self) {
        for letter in b'a'..=b'z' {
            let upper = letter.to_ascii_uppercase();
            if self.has(letter) || self.has(upper) {
                self.add(letter);
                self.add(upper);
            }
        }
    }

    fn negated(&self) -> Set {
        let beyond = if self.beyond == Beyond::None { Beyond::All } else { Beyond::None };
        Set { low: self.low.map(|bits| !bits), beyond }
    }
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// One character.
    Set(Set),
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of them.
    Choice(Vec<Node>),
    /// Again and again.
    Repeat {
        /// What.
        node: Box<Node>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
    },
}

impl Node {
    /// Its number of characters, if it has but one.
    fn width(&self) -> Option<u32> {
        match self {
            Node::Set(_) => Some(1),
            Node::Sequence(nodes) => nodes.iter().try_fold(0u32, |sum, node| sum.checked_add(node.width()?)),
            Node::Choice(nodes) => {
                let width = nodes.first()?.width()?;
                nodes.iter().all(|node| node.width() == Some(width)).then_some(width)
            }
            Node::Repeat { node, min, max } => {
                if Some(*min) == *max {
                    node.width()?.checked_mul(*min)
                } else {
                    None
                }
            }
        }
    }
}

/// A top-level branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// It begins with `^`.
    pub at_start: bool,
    /// What is between.
    pub node: Node,
    /// It ends with `$`.
    pub at_end: bool,
}

/// A pattern of regular form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegularPattern {
    /// One of them must occur.
    pub branches: Vec<Branch>,
    /// Only `\n` ends a line.
    pub unix_lines: bool,
}

impl RegularPattern {
    /// The pattern, unless it is not regular.
    pub(super) fn parse(source: &PatternSource) -> Option<RegularPattern> {
        let known = UNIX_LINES | CASE_INSENSITIVE | LITERAL | DOTALL;
        if source.flags & !known != 0 || source.text.len() > TEXT_BYTES_MAX {
            return None;
        }
        let mut parser = Parser { text: source.text.chars().peekable(), flags: source.flags };
        let branches = if source.flags & LITERAL != 0 {
            vec![Branch { at_start: false, node: parser.literal()?, at_end: false }]
        } else {
            parser.leading_flags()?;
            parser.branches()?
        };
        Some(RegularPattern { branches, unix_lines: parser.has(UNIX_LINES) })
    }
}

struct Parser<'a> {
    text: Peekable<Chars<'a>>,
    flags: u32,
}

impl Parser<'_> {
    fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    fn take(&mut self, wanted: char) -> bool {
        self.text.next_if_eq(&wanted).is_some()
    }

    fn starts_with(&self, prefix: &str) -> bool {
        let mut rest = self.text.clone();
        prefix.chars().all(|wanted| rest.next() == Some(wanted))
    }

    fn literal(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(character) = self.text.next() {
            nodes.push(self.character(character)?);
        }
        Some(Node::Sequence(nodes))
    }

    fn character(&self, character: char) -> Option<Node> {
        let mut set = Set::EMPTY;
        set.add(u8::try_from(character).ok()?);
        Some(Node::Set(self.folded(set)))
    }

    fn folded(&self, mut set: Set) -> Set {
        if self.has(CASE_INSENSITIVE) {
            set.add_other_cases();
        }
        set
    }

    /// `(?dis)` in front of everything.
    fn leading_flags(&mut self) -> Option<()> {
        while self.starts_with("(?") && !self.starts_with("(?:") {
            self.text.next();
            self.text.next();
            while !self.take(')') {
                self.flags |= match self.text.next()? {
                    'd' => UNIX_LINES,
                    'i' => CASE_INSENSITIVE,
                    's' => DOTALL,
                    _ => return None,
                };
            }
        }
        Some(())
    }

    fn branches(&mut self) -> Option<Vec<Branch>> {
        let mut branches = Vec::new();
        loop {
            let at_start = self.take('^');
            let node = self.sequence(0)?;
            let at_end = self.take('$');
            branches.push(Branch { at_start, node, at_end });
            match self.text.next() {
                None => return Some(branches),
                Some('|') => {}
                Some(_) => return None,
            }
        }
    }

    /// Up to `|`, `)`, `$` or the end.
    fn sequence(&mut self, depth: u32) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(next) = self.text.peek().copied() {
            match next {
                '|' | ')' | '$' => break,
                '\\' if self.starts_with("\\Q") => self.quotation(&mut nodes)?,
                _ => {
                    let atom = self.atom(depth)?;
                    nodes.push(self.repeated(atom)?);
                }
            }
        }
        Some(Node::Sequence(nodes))
    }

    /// `\Q..\E`. A quantifier behind it is Java's.
    fn quotation(&mut self, nodes: &mut Vec<Node>) -> Option<()> {
        self.text.next();
        self.text.next();
        while !self.starts_with("\\E") {
            let character = self.text.next()?;
            nodes.push(self.character(character)?);
        }
        self.text.next();
        self.text.next();
        (!self.at_quantifier()).then_some(())
    }

    fn atom(&mut self, depth: u32) -> Option<Node> {
        match self.text.next()? {
            '(' => self.group(depth + 1),
            '[' => self.class().map(Node::Set),
            '.' => Some(Node::Set(self.dot())),
            '\\' => self.escape().map(|set| Node::Set(self.folded(set))),
            '^' | '*' | '+' | '?' | '{' => None,
            character => self.character(character),
        }
    }

    fn group(&mut self, depth: u32) -> Option<Node> {
        if depth > DEPTH_MAX {
            return None;
        }
        if self.take('?') && !self.take(':') {
            return None;
        }
        let mut choices = Vec::new();
        loop {
            let node = self.sequence(depth)?;
            if matches!(&node, Node::Sequence(nodes) if nodes.is_empty()) {
                return None;
            }
            choices.push(node);
            match self.text.next()? {
                ')' => return Some(Node::Choice(choices)),
                '|' => {}
                _ => return None,
            }
        }
    }

    fn dot(&self) -> Set {
        let mut ends = Set::EMPTY;
        if !self.has(DOTALL) {
            ends.add(b'\n');
        }
        let mut set = ends.negated();
        if !self.has(DOTALL) && !self.has(UNIX_LINES) {
            ends.add(b'\r');
            ends.add(0x85);
            set = Set { beyond: Beyond::NoLineEnds, ..ends.negated() };
        }
        set
    }

    fn at_quantifier(&mut self) -> bool {
        matches!(self.text.peek(), Some('*' | '+' | '?' | '{'))
    }

    fn repeated(&mut self, atom: Node) -> Option<Node> {
        if !self.at_quantifier() {
            return Some(atom);
        }
        let (min, max) = match self.text.next()? {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => self.bounds()?,
        };
        self.take('?'); // a lazy one occurs where a greedy one does
        if self.at_quantifier() || atom.width().is_none_or(|width| width == 0) {
            return None;
        }
        Some(Node::Repeat { node: Box::new(atom), min, max })
    }

    /// Behind `{`.
    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        let min = self.number()?;
        let max = if !self.take(',') {
            Some(min)
        } else if self.text.peek() == Some(&'}') {
            None
        } else {
            Some(self.number()?)
        };
        (self.take('}') && max.is_none_or(|max| min <= max)).then_some((min, max))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = self.text.next()?.to_digit(10)?;
        while let Some(digit) = self.text.peek().and_then(|next| next.to_digit(10)) {
            self.text.next();
            number = number * 10 + digit;
            if number > REPEAT_MAX {
                return None;
            }
        }
        Some(number)
    }
}
