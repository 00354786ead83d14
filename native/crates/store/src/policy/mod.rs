//! Looks at one store's files and says what to do next, and why. Does no I/O.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use grampus_base::{Error, ErrorKind, Result};
use serde::Deserialize;

/// How much a compaction may drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactionKind {
    /// Some of the files: delete markers stay, because they may hide cells of the files left out.
    Minor,
    /// All of the files: delete markers and what they hide may go.
    Major,
}

impl fmt::Display for CompactionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CompactionKind::Minor => "minor",
            CompactionKind::Major => "major",
        })
    }
}

/// What the policy knows of a file; files come in ascending order of sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFact {
    /// Bytes that belong to the region.
    pub bytes: u64,
    /// A part of another region's file, to be rewritten soon.
    pub is_reference: bool,
    /// Result of a major compaction.
    pub major: bool,
    /// Creation time in milliseconds.
    pub created_millis: i64,
    /// Smallest timestamp of a put.
    pub earliest_put_millis: Option<i64>,
    /// Already being compacted.
    pub busy: bool,
    /// Cannot be read by a compaction.
    pub unreadable: bool,
}

/// What to compact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Positions of the files, contiguous and ascending.
    pub inputs: Range<usize>,
    /// What may be dropped.
    pub kind: CompactionKind,
    /// One sentence for the log and the status page.
    pub reason: String,
}

/// The policy's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing is worth compacting, and why not.
    Nothing(String),
    /// Compact these.
    Compact(Selection),
}

/// Chooses among a store's files.
pub trait CompactionPolicy: Send + Sync {
    /// The next compaction, if any. Never chooses a busy file.
    fn decide(&self, files: &[FileFact], now_millis: i64) -> Decision;

    /// A compaction of all files that a client asked for; of those beside one that cannot be read where there is such a file.
    fn decide_major(&self, files: &[FileFact]) -> Decision {
        if files.is_empty() || files.iter().any(|f| f.busy) {
            return Decision::Nothing("no files, or some of them are not free".to_string());
        }
        let longest = readable_runs(files, 0).into_iter().max_by_key(|run| run.len());
        let (count, inputs) = (files.len(), longest.unwrap_or_default());
        let (kind, reason) = match inputs.len() {
            1 if count == 1 => {
                (CompactionKind::Major, "a major compaction of its only file was asked for".to_string())
            }
            all if all == count => {
                (CompactionKind::Major, format!("a major compaction of all {count} files was asked for"))
            }
            0 | 1 => {
                return Decision::Nothing(
                    "the files beside those that cannot be read are single".to_string(),
                );
            }
            some => {
                let reason = format!(
                    "a major compaction was asked for: {some} of {count} files, others cannot be read"
                );
                (CompactionKind::Minor, reason)
            }
        };
        Decision::Compact(Selection { inputs, kind, reason })
    }
}

/// Neighbours that can be read, from a file on: one that cannot be read is never part of a compaction, and what lies on its two sides
/// goes its own ways.
fn readable_runs(files: &[FileFact], from: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in files.iter().enumerate().skip(from).filter(|(_, file)| !file.unreadable) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// HBase's exploring policy: the contiguous run of most files, or of fewest bytes among those, in which no file dwarfs the
/// rest. Its settings have HBase's names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ExploringPolicy {
    /// `hbase.hstore.compaction.min`.
    pub files_min: usize,
    /// `hbase.hstore.compaction.max`.
    pub files_max: usize,
    /// `hbase.hstore.compaction.ratio`.
    pub ratio: f64,
    /// `hbase.hstore.compaction.min.size`: files below it always qualify.
    pub bytes_min: u64,
    /// `hbase.hstore.compaction.max.size`: more is not merged at once, but when there are too many files.
    pub bytes_max: u64,
    /// `hbase.hstore.blockingStoreFiles`: from this number of files on something is compacted whatever the ratio.
    pub files_blocking: usize,
    /// `hbase.regionserver.thread.compaction.throttle`: a compaction of more is a large one.
    pub bytes_large: u64,
    /// `hbase.hregion.majorcompaction`; 0 turns periodic major compactions off.
    #[serde(rename = "majorPeriodMillis")]
    pub major_period_millis: i64,
    /// `hbase.hregion.majorcompaction.jitter`: the period of a store is up to this share longer or shorter.
    pub major_jitter: f64,
    /// The family's TTL; a single file that a major compaction made is worth another one only when cells in it have expired.
    #[serde(skip)]
    pub ttl_millis: Option<i64>,
}

impl Default for ExploringPolicy {
    fn default() -> Self {
        ExploringPolicy {
            files_min: 3,
            files_max: 10,
            ratio: 1.2,
            bytes_min: 128 << 20,
            bytes_max: u64::MAX,
            files_blocking: 16,
            bytes_large: 2560 << 20,
            major_period_millis: 7 * 24 * 3_600_000,
            major_jitter: 0.5,
            ttl_millis: None,
        }
    }
}

impl CompactionPolicy for ExploringPolicy {
    fn decide(&self, files: &[FileFact], now_millis: i64) -> Decision {
        let candidates = Candidates::of(files);
        self.without_references(&candidates)
            .or_else(|| self.periodic_major(&candidates, now_millis))
            .or_else(|| self.within_ratio(&candidates))
            .or_else(|| self.while_too_many(&candidates))
            .unwrap_or_else(|| candidates.nothing())
    }
}

/// A store's files, and which of them can be compacted together.
struct Candidates<'f> {
    files: &'f [FileFact],
    /// Neighbours that are free and can be read.
    runs: Vec<Range<usize>>,
}

impl<'f> Candidates<'f> {
    fn of(files: &'f [FileFact]) -> Candidates<'f> {
        // Files older than one that is busy would no longer be contiguous with what that one becomes.
        let free_from = files.iter().rposition(|f| f.busy).map_or(0, |last| last + 1);
        Candidates { files, runs: readable_runs(files, free_from) }
    }

    fn of_run(&self, run: &Range<usize>) -> &'f [FileFact] {
        self.files.get(run.clone()).unwrap_or_default()
    }

    /// What is chosen of each run, as positions among all files.
    fn each(
        &self,
        choose: impl Fn(&[FileFact]) -> Option<Range<usize>>,
    ) -> impl Iterator<Item = Range<usize>> {
        let chosen = self.runs.iter().filter_map(move |run| Some((run.start, choose(self.of_run(run))?)));
        chosen.map(|(start, inputs)| inputs.start + start..inputs.end + start)
    }

    fn select(&self, inputs: Range<usize>, reason: String) -> Decision {
        let kind =
            if inputs.len() == self.files.len() { CompactionKind::Major } else { CompactionKind::Minor };
        Decision::Compact(Selection { inputs, kind, reason })
    }

    fn nothing(&self) -> Decision {
        let free: usize = self.runs.iter().map(Range::len).sum();
        Decision::Nothing(format!("{} files, {free} of them free, none worth merging", self.files.len()))
    }
}

impl ExploringPolicy {
    /// Refuses figures that no policy can follow.
    pub fn check(&self) -> Result<()> {
        let wrong = if self.files_min < 2 {
            "filesMin must be at least 2"
        } else if self.files_max < self.files_min {
            "filesMax must not be below filesMin"
        } else if !(self.ratio > 0.0 && self.ratio.is_finite()) {
            "ratio must be above 0"
        } else if !(self.major_jitter >= 0.0 && self.major_jitter <= 1.0) {
            "majorJitter must be between 0 and 1"
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::BadRequest, format!("compaction: {wrong}")))
    }

    fn without_references(&self, candidates: &Candidates<'_>) -> Option<Decision> {
        let inputs = candidates.each(|run| self.references(run)).next()?;
        let reason = format!("{} files, so that references to a parent region go away", inputs.len());
        Some(candidates.select(inputs, reason))
    }

    fn periodic_major(&self, candidates: &Candidates<'_>, now_millis: i64) -> Option<Decision> {
        let (files, runs) = (candidates.files, &candidates.runs);
        let all_are_free = runs.first().is_some_and(|run| run.len() == files.len());
        let age_millis = self.major_due(files, now_millis).filter(|_| all_are_free)?;
        let reason = format!("all {} files, the oldest is {} h old", files.len(), age_millis / 3_600_000);
        Some(candidates.select(0..files.len(), reason))
    }

    fn within_ratio(&self, candidates: &Candidates<'_>) -> Option<Decision> {
        let files = candidates.files;
        let in_ratio = candidates.each(|run| self.best_in_ratio(run));
        let inputs =
            in_ratio.reduce(|best, next| if is_better(files, &next, &best) { next } else { best })?;
        let bytes = sum(candidates.of_run(&inputs));
        let reason =
            format!("{} of {} files, {bytes} bytes, within ratio {}", inputs.len(), files.len(), self.ratio);
        Some(candidates.select(inputs, reason))
    }

    fn while_too_many(&self, candidates: &Candidates<'_>) -> Option<Decision> {
        let files = candidates.files;
        if files.iter().filter(|f| !f.unreadable).count() < self.files_blocking {
            return None;
        }
        let cheapest = candidates.each(|run| self.cheapest(run));
        let inputs = cheapest.min_by_key(|run| sum(candidates.of_run(run)))?;
        let reason =
            format!("the {} smallest neighbours of {} files, too many for reads", inputs.len(), files.len());
        Some(candidates.select(inputs, reason))
    }

    /// From the first reference on, as many files as one compaction may take.
    fn references(&self, free: &[FileFact]) -> Option<Range<usize>> {
        let first = free.iter().position(|f| f.is_reference)?;
        let start = if free.len() <= self.files_max { 0 } else { first };
        Some(start..free.len().min(start + self.files_max))
    }

    /// Age of the oldest file when a periodic major compaction is due.
    fn major_due(&self, files: &[FileFact], now_millis: i64) -> Option<i64> {
        let oldest = files.iter().map(|f| f.created_millis).min()?;
        let age_millis = now_millis.saturating_sub(oldest);
        let is_major_already = matches!(files, [only] if only.major && !self.has_expired(only, now_millis));
        (self.major_period_millis > 0 && age_millis > self.major_period_of(files) && !is_major_already)
            .then_some(age_millis)
    }

    fn has_expired(&self, file: &FileFact, now_millis: i64) -> bool {
        self.ttl_millis
            .zip(file.earliest_put_millis)
            .is_some_and(|(ttl, earliest)| earliest < now_millis.saturating_sub(ttl))
    }

    /// The period with its jitter: the same for the same files, so that a restart brings no storm of major compactions.
    fn major_period_of(&self, files: &[FileFact]) -> i64 {
        let seed = files.iter().fold(0u64, |seed, file| {
            (seed ^ file.created_millis.cast_unsigned() ^ file.bytes)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        });
        let share = (seed >> 11) as f64 / (1u64 << 53) as f64; // 0 to 1
        let jitter = self.major_period_millis as f64 * self.major_jitter.clamp(0.0, 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "less than the period, and the cast of a float saturates"
        )]
        let jitter = (jitter - 2.0 * jitter * share) as i64;
        self.major_period_millis.saturating_add(jitter)
    }

    fn best_in_ratio(&self, free: &[FileFact]) -> Option<Range<usize>> {
        let in_ratio = self.windows(free.len()).filter(|r| {
            let files = free.get(r.clone()).unwrap_or_default();
            sum(files) <= self.bytes_max && self.is_in_ratio(files)
        });
        in_ratio.reduce(|best, next| if is_better(free, &next, &best) { next } else { best })
    }

    fn cheapest(&self, free: &[FileFact]) -> Option<Range<usize>> {
        let smallest = self.windows(free.len()).filter(|r| r.len() == self.files_min);
        smallest.min_by_key(|r| sum(free.get(r.clone()).unwrap_or_default()))
    }

    /// Contiguous runs of an allowed length among `files` files.
    fn windows(&self, files: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..files).flat_map(move |start| {
            (start + self.files_min..=files.min(start + self.files_max)).map(move |end| start..end)
        })
    }

    fn is_in_ratio(&self, files: &[FileFact]) -> bool {
        let total = sum(files);
        total <= self.bytes_min
            || files
                .iter()
                .all(|f| f.bytes <= self.bytes_min || f.bytes as f64 <= (total - f.bytes) as f64 * self.ratio)
    }
}

/// More files, or fewer bytes of as many.
fn is_better(files: &[FileFact], a: &Range<usize>, b: &Range<usize>) -> bool {
    let bytes = |run: &Range<usize>| sum(files.get(run.clone()).unwrap_or_default());
    (a.len(), std::cmp::Reverse(bytes(a))) > (b.len(), std::cmp::Reverse(bytes(b)))
}

fn sum(files: &[FileFact]) -> u64 {
    files.iter().map(|f| f.bytes).sum()
}
