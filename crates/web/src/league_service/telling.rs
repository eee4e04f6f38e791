//! Numbered events of one version being judged.

use floe_league::JudgeEvent;

/// Most lines of a build to store.
const SAID_LINES: usize = 2000;
/// Most bytes of stored events.
const SAID_BYTES: usize = 256 * 1024;
/// The text in place of the others; the journal has the same.
const LEFT_OUT: &str = "[more output was dropped]";

/// The events since judging last began. Numbers continue if judging restarts, so that no reader
/// takes new events for old ones.
#[derive(Default)]
pub(super) struct Telling {
    /// Number of events before judging started again.
    before: usize,
    lines: Vec<JudgeEvent>,
    said_lines: usize,
    said_bytes: usize,
}

impl Telling {
    pub(super) fn add(&mut self, progress: JudgeEvent) {
        match &progress {
            // Judging starts again, after a machine failure.
            JudgeEvent::Step(text) if text.starts_with("unpacking ") => self.begin_again(),
            JudgeEvent::Said(text) => return self.add_said(text),
            _ => {}
        }
        self.lines.push(progress);
    }

    fn begin_again(&mut self) {
        *self = Telling {
            before: self.before + self.lines.len(),
            ..Telling::default()
        };
    }

    /// Adds output of a build, of any length.
    fn add_said(&mut self, text: &str) {
        if self.said_lines > SAID_LINES {
            return;
        }
        self.said_lines += 1;
        self.said_bytes += text.len();
        let has_room = self.said_lines <= SAID_LINES && self.said_bytes <= SAID_BYTES;
        if !has_room {
            self.said_lines = SAID_LINES + 1;
        }
        let text = if has_room { text } else { LEFT_OUT };
        self.lines.push(JudgeEvent::Said(text.to_owned()));
    }

    /// The events after the first `seen`, and the number of the first of them. A reader who has
    /// seen more than exist had them from an earlier server, and gets all.
    pub(super) fn after(&self, seen: usize) -> (usize, Vec<JudgeEvent>) {
        let told = self.before + self.lines.len();
        let from = match seen > told {
            true => self.before,
            false => seen.max(self.before),
        };
        (from, self.lines[from - self.before..].to_vec())
    }

    /// The current step.
    pub(super) fn step(&self) -> Option<&str> {
        self.lines.iter().rev().find_map(|progress| match progress {
            JudgeEvent::Step(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether the verdict was given.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.lines.last(), Some(JudgeEvent::Verdict(..)))
    }
}

#[cfg(test)]
mod tests {
    use floe_league::event::Judgement;

    use super::*;

    fn step(text: &str) -> JudgeEvent {
        JudgeEvent::Step(text.to_owned())
    }

    fn said(text: &str) -> JudgeEvent {
        JudgeEvent::Said(text.to_owned())
    }

    fn verdict() -> JudgeEvent {
        JudgeEvent::Verdict(Judgement::Accepted, "accepted".to_owned())
    }

    #[test]
    fn a_build_that_says_much_is_cut_and_its_verdict_kept() {
        for line in ["".to_owned(), "x".repeat(1000), "x".repeat(1 << 20)] {
            let mut telling = Telling::default();
            telling.add(step("unpacking bot.c"));
            for _ in 0..100_000 {
                telling.add(said(&line));
            }
            telling.add(step("checking"));
            telling.add(verdict());
            let (_, lines) = telling.after(0);
            let bytes: usize = lines.iter().map(|line| line.text().len()).sum();
            assert!(lines.len() <= SAID_LINES + 4, "{}", lines.len());
            assert!(bytes <= SAID_BYTES + 100, "{bytes}");
            let end = [said(LEFT_OUT), step("checking"), verdict()];
            assert_eq!(lines[lines.len() - 3..], end);
            assert!(telling.is_over());
        }
    }

    #[test]
    fn a_reader_misses_nothing_of_a_version_that_is_begun_again() {
        let mut telling = Telling::default();
        for progress in [step("unpacking bot.c"), step("building"), said("a")] {
            telling.add(progress);
        }
        assert_eq!(telling.after(2), (2, vec![said("a")]));
        // The reader has seen three lines when there is trouble.
        telling.add(step("unpacking bot.c"));
        telling.add(verdict());
        assert_eq!(
            telling.after(3),
            (3, vec![step("unpacking bot.c"), verdict()])
        );
        // A slower reader continues with the events that count.
        assert_eq!(telling.after(1), telling.after(3));
        assert_eq!(telling.after(5), (5, Vec::new()));
        // A reader of another server starts from the beginning.
        assert_eq!(telling.after(6), telling.after(0));
    }
}
