//! The latest games of a contest, for a live table.

use std::collections::VecDeque;
use std::fmt::Write as _;

use floe_games::record::Record;
use floe_rules::text::visible;

use crate::terminal::{ERROR, FAINT, Look, STRONG};

/// Games stored.
const MOST: usize = 5;
/// Characters of a player's name.
const NAME: usize = 20;

/// The last games, the newest first.
#[derive(Default)]
pub(crate) struct LatestGames(VecDeque<Game>);

/// A game as it is listed.
struct Game {
    id: String,
    seats: Vec<(String, i64)>,
    moves: usize,
    /// The first fault and its player.
    fault: Option<String>,
}

impl LatestGames {
    /// Takes in a finished game.
    pub(crate) fn add(&mut self, record: &Record) {
        let names = record.opening.seats.iter().map(|seat| visible(&seat.name));
        let scores = record.end.as_ref().map_or(&[][..], |end| &end.scores);
        let seats = names.zip(scores.iter().copied());
        let name_of = |seat: u32| record.opening.seats.get((seat as usize).checked_sub(1)?);
        let fault = record.faults().next().map(|fault| {
            let name = name_of(fault.seat).map_or("", |seat| &seat.name);
            format!("{}, {}", visible(name), fault.kind)
        });
        self.0.push_front(Game {
            id: record.opening.id.clone(),
            seats: seats
                .map(|(name, score)| (name.into_owned(), score))
                .collect(),
            moves: record.moves().len(),
            fault,
        });
        self.0.truncate(MOST);
    }

    /// At most `most` games, a line each, below a heading; empty before the first game.
    pub(crate) fn draw(&self, most: usize, look: Look) -> String {
        let games = || self.0.iter().take(most);
        let mut out = String::new();
        if games().next().is_none() {
            return out;
        }
        let _ = writeln!(out, "{STRONG}Latest games{STRONG:#}");
        let widest = |width: fn(&Game) -> usize| games().map(width).max().unwrap_or(0);
        let ids = widest(|game| game.id.chars().count());
        let names = widest(|game| {
            let names = game.seats.iter().map(|(name, _)| name.chars().count());
            names.max().unwrap_or(0).min(NAME)
        });
        for game in games() {
            let result = game.result(names);
            let moves = game.moves;
            let _ = write!(
                out,
                "{FAINT}{:>ids$}{FAINT:#}  {result}  {moves} moves",
                game.id
            );
            if let Some(fault) = &game.fault {
                let cross = if look.unicode { "✗" } else { "x" };
                let _ = write!(out, "  {ERROR}{cross} {fault}{ERROR:#}");
            }
            out.push('\n');
        }
        out
    }
}

impl Game {
    /// The players with their scores; two stand opposite each other.
    fn result(&self, width: usize) -> String {
        let cut = |name: &str| name.chars().take(NAME).collect::<String>();
        match &self.seats[..] {
            [(one, points), (other, more)] => {
                let (one, other) = (cut(one), cut(other));
                format!("{one:<width$}  {points:>4} : {more:<4}  {other:<width$}")
            }
            seats => {
                let seats = seats.iter();
                let seats = seats.map(|(name, score)| format!("{} {score}", cut(name)));
                seats.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: &str, seats: &[(&str, i64)], fault: Option<&str>) -> Game {
        Game {
            id: id.to_owned(),
            seats: (seats.iter())
                .map(|(name, score)| ((*name).to_owned(), *score))
                .collect(),
            moves: 38,
            fault: fault.map(str::to_owned),
        }
    }

    #[test]
    fn the_newest_games_come_first_with_their_faults() {
        let look = Look {
            color: false,
            unicode: true,
            columns: Some(80),
            theme: floe_terminal::theme::Theme::Dark,
        };
        let mut latest = LatestGames::default();
        assert_eq!(latest.draw(MOST, look), "");
        latest
            .0
            .push_back(game("10", &[("owls", 241), ("greedy", 9)], None));
        let fault = Some("auk3, timeout");
        latest
            .0
            .push_back(game("9", &[("auk3", 0), ("owls", 60)], fault));
        latest
            .0
            .push_back(game("8", &[("a", 1), ("b", 2), ("c", 3)], None));
        let drawn = |most| {
            let text = latest.draw(most, look);
            anstream::adapter::strip_str(&text).to_string()
        };
        let expected = [
            "Latest games",
            "10  owls     241 : 9     greedy  38 moves",
            " 9  auk3       0 : 60    owls    38 moves  ✗ auk3, timeout",
            " 8  a 1, b 2, c 3  38 moves",
            "",
        ];
        assert_eq!(drawn(MOST), expected.join("\n"));
        assert_eq!(drawn(1).lines().count(), 2);
    }
}
