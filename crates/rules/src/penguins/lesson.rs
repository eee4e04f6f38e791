//! The lesson on the rules.

use crate::Step;

/// The board of a first game.
pub(super) const FIRST_SETUP: &str = "6x6,penguins=2";

pub(super) const LESSON: &[Step] = &[
    Step {
        name: "Place",
        note: "Each penguin starts on one fish.",
        title: "Start on a floe with one fish",
        text: "Players take turns to place their penguins. A penguin starts on a free floe with one \
               fish, and you collect that fish.",
        position: "3 3 players=2 penguins=1 phase=placement turn=1\n10 30 20\n20 02 10\n00 10 20\nyou 1 0\nfloe 2 1\n",
        task: "Place your penguin on any floe with one fish.",
        solutions: &["a3", "c2", "b1"],
        done: "Your penguin stands, and you have one fish.",
    },
    Step {
        name: "Slide",
        note: "Straight, as far as you like.",
        title: "Slide along a row or a column",
        text: "On your turn, one of your penguins slides in a straight line, any distance. It never \
               goes diagonally.",
        position: "3 4 players=2 penguins=1 phase=movement turn=1\n20 10 20 02\n01 10 20 30\n10 20 10 20\nyou 1 1\nfloe 2 1\n",
        task: "Slide all the way to the right.",
        solutions: &["a2-d2"],
        done: "A slide may pass over floes. You keep only the fish where it stops.",
    },
    Step {
        name: "Eat",
        note: "Where you stop; the ice melts behind.",
        title: "Keep the fish where you stop",
        text: "You collect the fish of the floe where your penguin stops, and only those. The floe \
               it left melts away.",
        position: "4 4 players=2 penguins=1 phase=movement turn=1\n10 30 00 20\n20 10 10 30\n10 01 20 10\n00 20 10 02\nyou 1 1\nfloe 2 1\n",
        task: "Slide to the floe with three fish.",
        solutions: &["b2-b4"],
        done: "Three fish for you, and water where your penguin stood.",
    },
    Step {
        name: "Blocked",
        note: "Never over water or a penguin.",
        title: "Water and penguins stop you",
        text: "A penguin cannot cross water or another penguin. If you can move, you must; if all \
               your penguins are blocked, your turns are skipped.",
        position: "3 4 players=2 penguins=1 phase=movement turn=1\n10 00 30 20\n01 20 02 30\n20 00 10 30\nyou 1 1\nfloe 2 1\n",
        task: "The blue penguin blocks your row. Go as far right as you can.",
        solutions: &["a2-b2"],
        done: "That is as far as it goes. Look ahead before you slide into a dead end.",
    },
    Step {
        name: "Strand",
        note: "Take the last bridge away.",
        title: "Strand your opponent",
        text: "Every floe you use is gone for both of you. Stop on the last floe next to a penguin, \
               and that penguin is stuck for good.",
        position: "3 4 players=2 penguins=1 phase=movement turn=1\n00 10 20 00\n01 20 10 02\n00 30 30 00\nyou 1 1\nfloe 2 1\n",
        task: "Blue has one way out. Stop on it.",
        solutions: &["a2-c2"],
        done: "Blue is stuck. All fish that are left are yours to take.",
    },
    Step {
        name: "Win",
        note: "No penguin can move: most fish wins.",
        title: "The most fish wins",
        text: "The game ends when no penguin can move. The player with the most fish wins, and equal \
               fish tie.",
        position: "3 3 players=2 penguins=1 phase=movement turn=1\n00 20 00\n30 01 00\n00 00 02\nyou 1 7\nfloe 2 9\n",
        task: "You are two fish behind, and this is the last move. Win.",
        solutions: &["b2-a2"],
        done: "Ten to nine: you won.",
    },
];
