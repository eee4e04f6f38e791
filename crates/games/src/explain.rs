//! A move's effect, in words, for learners: only figures from the rules.

use floe_rules::{Choice, Player, Prospect, View};

use crate::AnyPosition;

/// Up to this many moves deserve a sentence.
const FEW: usize = 3;

/// What a legal move does for the player to move; `None` if it is not legal. Costs the choices
/// there are, and two views.
///
/// ```
/// let position = floe_games::find("flood")?.read("J\n+.@##\n.+@#*\n+.@##\n**@##\n")?;
/// assert_eq!(
///     floe_games::explain(&*position, "@").unwrap(),
///     "It takes 10 fields, the most a move can take. It seals off 6 fields for itself."
/// );
/// assert_eq!(
///     floe_games::explain(&*position, "+").unwrap(),
///     "It takes 1 field; @ would have taken 10."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(position: &dyn AnyPosition, mv: &str) -> Option<String> {
    let mover = position.turn()?;
    let choices = position.choices();
    let made = choices.iter().find(|choice| choice.notation == mv)?;
    let mut after = position.clone_position();
    after.play(mv).ok()?;
    let (before, view) = (position.view(), after.view());
    let mut words = Vec::new();
    words.extend(made.special.map(|kind| format!("It spends its {kind}.")));
    words.push(gain(made, &choices, &before));
    let sealed = promised(&view, mover) - promised(&before, mover);
    if sealed > 0 {
        words.push(format!(
            "It seals off {} for itself.",
            count(sealed, "field")
        ));
    }
    match after.turn() {
        None => words.push("That ends the game.".to_owned()),
        Some(next) if next == mover => words.push("No opponent can move now.".to_owned()),
        Some(_) => {
            let left = after.moves().len();
            // In a game that never has more moves, few moves are nothing special.
            if left <= FEW && left < choices.len() && choices.len() > FEW {
                words.push(format!(
                    "It leaves its opponent {}.",
                    count(left as i64, "move")
                ));
            }
        }
    }
    Some(words.join(" "))
}

/// The gain of a move, compared with the largest possible gain.
fn gain(made: &Choice, choices: &[Choice], view: &View) -> String {
    let unit = |gain: i64| match &view.drawing.level {
        Some(level) => format!("{gain} {}", level.word),
        None => count(gain, "field"),
    };
    let most = choices.iter().max_by_key(|choice| choice.gain);
    let alike = choices.iter().all(|choice| choice.gain == made.gain);
    match (made.gain, most) {
        (gain, _) if alike => format!("It takes {}.", unit(gain)),
        (gain, Some(most)) if most.gain > gain => {
            let taken = match gain {
                0 => "nothing".to_owned(),
                gain => unit(gain),
            };
            format!(
                "It takes {taken}; {} would have taken {}.",
                most.notation, most.gain
            )
        }
        (gain, _) => format!("It takes {}, the most a move can take.", unit(gain)),
    }
}

/// Number of fields that only this player can still get.
fn promised(view: &View, player: Player) -> i64 {
    let promised = view.cells.iter();
    let promised = promised.filter(|cell| cell.prospect == Prospect::Promised(player));
    promised.count() as i64
}

fn count(number: i64, what: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {what}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(game: &str, position: &str, mv: &str) -> String {
        let position = crate::find(game).unwrap().read(position).unwrap();
        explain(&*position, mv).unwrap()
    }

    #[test]
    fn words_follow_the_rules() {
        let strand = "3 4 players=2 penguins=1 phase=movement turn=1\n00 10 20 00\n01 20 10 02\n00 30 30 00\nyou 1 1\nfloe 2 1\n";
        assert_eq!(
            words("penguins", strand, "a2-c2"),
            "It takes 1 fish; a2-b2 would have taken 2. No opponent can move now."
        );
        let golden = "gamma 5 3 2 2\nturn 1 golden 1 2\n11.22\n1.2.2\n11.22\n";
        assert_eq!(
            words("gamma", golden, "c2!"),
            "It spends its golden move. It takes 1 field."
        );
        assert!(
            words(
                "gamma",
                "gamma 3 3 2 1\nturn 1 golden\n122\n1.2\n112\n",
                "b2"
            )
            .ends_with("That ends the game.")
        );
    }

    #[test]
    fn an_illegal_move_has_no_words() {
        let position = crate::find("gamma").unwrap().start("3x3", 1).unwrap();
        assert_eq!(explain(&*position, "z9"), None);
    }
}
