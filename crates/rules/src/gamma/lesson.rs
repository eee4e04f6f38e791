//! The lesson on the rules.

use crate::Step;

/// A first game is on this board.
pub(super) const FIRST_SETUP: &str = "6x6,areas=2";

pub(super) const LESSON: &[Step] = &[
    Step {
        name: "Take",
        note: "One free field each turn.",
        title: "Take one free field each turn",
        text: "Players take turns to claim free fields. The player with the most fields at the end \
               wins.",
        position: "gamma 4 4 2 2\nturn 1 golden 1 2\n....\n.2..\n..1.\n....\n",
        task: "Take a free field next to your own.",
        solutions: &["c1", "b2", "d2", "c3"],
        done: "You hold two fields.",
    },
    Step {
        name: "Areas",
        note: "Fields that share a side.",
        title: "Fields that share a side are one area",
        text: "Your fields that touch by their sides form one area. Fields that touch only at a corner \
               are two.",
        position: "gamma 4 4 2 2\nturn 1 golden 1 2\n....\n..12\n.1.2\n....\n",
        task: "Join your two areas to one.",
        solutions: &["b3", "c2"],
        done: "One area again. You may start another one.",
    },
    Step {
        name: "Limit",
        note: "Never more areas than allowed.",
        title: "Never more areas than the limit",
        text: "The limit here is two areas. Once you have two, you may only take fields next to your \
               own.",
        position: "gamma 5 4 2 2\nturn 1 golden 1 2\n1..2.\n...2.\n....2\n...1.\n",
        task: "You have two areas. Take a field that makes no third one.",
        solutions: &["a3", "b4", "c1", "e1", "d2"],
        done: "Right. Every other free field would have been a third area.",
    },
    Step {
        name: "Wall",
        note: "Close the way, fill later.",
        title: "Build walls first, fill them later",
        text: "A free field that only you can reach is safe. Close the way in first, and take the \
               fields behind it later.",
        position: "gamma 5 3 2 1\nturn 1 golden\n..12.\n..12.\n...2.\n",
        task: "Close the gap at the bottom before Blue comes in.",
        solutions: &["c1"],
        done: "With one area each, Blue cannot jump over your wall.",
    },
    Step {
        name: "Golden move",
        note: "Once a game: capture a field.",
        title: "One golden move each game",
        text: "Once in a game you may capture a field of your opponent. Neither of you may have more \
               areas than the limit afterwards.",
        position: "gamma 5 3 2 2\nturn 1 golden 1 2\n11.22\n1.2.2\n11.22\n",
        task: "Turn the golden move on, and capture the lone blue field.",
        solutions: &["c2!"],
        done: "Captured. Your golden move is spent for this game.",
    },
    Step {
        name: "Win",
        note: "No moves left: most fields wins.",
        title: "The most fields wins",
        text: "A player without a move is skipped. The game ends when no player can move, and the most \
               fields wins.",
        position: "gamma 3 3 2 1\nturn 1 golden\n122\n1.2\n112\n",
        task: "It stands four to four. Take the field that decides.",
        solutions: &["b2"],
        done: "Five to four: you won.",
    },
];
