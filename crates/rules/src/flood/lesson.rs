//! The lesson on the rules.

use crate::Step;

/// The board of a first game.
pub(super) const FIRST_SETUP: &str = "8x8";

pub(super) const LESSON: &[Step] = &[
    Step {
        name: "Corner",
        note: "J starts bottom-left, S top-right.",
        title: "Your flood starts in a corner",
        text: "J owns the bottom-left corner and moves first. S owns the top-right corner.",
        position: "J\n*@#+\n#+*@\n@#+*\n.#@+\n",
        task: "You are J. Choose a colour that touches your corner.",
        solutions: &["#", "@"],
        done: "Your flood took that colour, and the squares of it that it touched.",
    },
    Step {
        name: "Grow",
        note: "All connected squares join at once.",
        title: "Connected squares join at once",
        text: "Your territory takes the colour you choose. Every square of it that is connected to \
               your territory joins.",
        position: "J\n+@*#\n#@+*\n@@*+\n.#@*\n",
        task: "One colour brings four squares at once. Choose it.",
        solutions: &["@"],
        done: "Four squares in one move: look for chains.",
    },
    Step {
        name: "Taken",
        note: "Never your colour, never theirs.",
        title: "Three colours to choose from",
        text: "You cannot choose your own colour, nor that of your opponent. Three are left each \
               turn.",
        position: "J\n#*@#\n@+##\n+@#*\n.+@@\n",
        task: "S has #. Choose the best of the other three.",
        solutions: &["+"],
        done: "While you hold +, your opponent cannot choose it.",
    },
    Step {
        name: "Wait",
        note: "Gaining nothing is legal; passing is not.",
        title: "You may gain nothing, but never pass",
        text: "A colour that touches nothing is a legal move. It can be the best one, if the other \
               player has to give way.",
        position: "J\n@*+#\n*+@*\n.@*+\n..@*\n",
        task: "Make a move that gains nothing.",
        solutions: &["+"],
        done: "Your flood changed its colour, and your opponent has to move.",
    },
    Step {
        name: "Seal off",
        note: "What only you can reach is yours.",
        title: "Seal off squares, and they count",
        text: "Squares that only your territory touches count as yours, whatever their colour. Walls \
               win more than single squares.",
        position: "J\n+.@##\n.+@#*\n+.@##\n**@##\n",
        task: "Choose the colour that seals off the left side.",
        solutions: &["@"],
        done: "The six squares behind your wall are yours, and no one can take them.",
    },
    Step {
        name: "Win",
        note: "Two colours left: most squares wins.",
        title: "The most squares wins",
        text: "The game ends when two colours are left, or after 150 moves. The higher score wins, \
               and equal scores draw.",
        position: "J\n#@@\n##@\n#+@\n",
        task: "It stands four to four. Win with this move.",
        solutions: &["+"],
        done: "Five to four: you won.",
    },
];
