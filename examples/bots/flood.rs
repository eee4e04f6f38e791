//! Plays Flood Wars in the contest's way: `rustc -O -o flood_rs flood.rs; floe match flood ./flood_rs greedy`
use std::io::{self, Read};

/// Paints the one-coloured piece around a square and counts its squares.
fn paint(board: &mut [Vec<u8>], row: usize, column: usize, to: u8) -> usize {
    let from = board[row][column];
    let mut todo = vec![(row, column)];
    let mut count = 0;
    while let Some((row, column)) = todo.pop() {
        if board[row][column] != from || from == to {
            continue;
        }
        board[row][column] = to;
        count += 1;
        if row > 0 { todo.push((row - 1, column)); }
        if column > 0 { todo.push((row, column - 1)); }
        if row + 1 < board.len() { todo.push((row + 1, column)); }
        if column + 1 < board[row].len() { todo.push((row, column + 1)); }
    }
    count
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("the input is text");
    let mut words = text.split_whitespace();
    let is_j = words.next() == Some("J");
    let mut board: Vec<Vec<u8>> = words.map(|line| line.bytes().collect()).collect();
    let (bottom, right) = (board.len() - 1, board[0].len() - 1);
    let ((row, column), (r, c)) = match is_j {
        true => ((bottom, 0), (0, right)),
        false => ((0, right), (bottom, 0)),
    };
    let taken = [board[row][column], board[r][c]];
    let size = |&colour: &u8| {
        let mut after = board.clone();
        paint(&mut after, row, column, colour);
        paint(&mut after, row, column, b'!') // to any colour, only to count
    };
    let colours = b"@#+.*".iter().copied().filter(|colour| !taken.contains(colour));
    let best = colours.max_by_key(size).expect("there are three");
    paint(&mut board, row, column, best);
    println!("{}", if is_j { "S" } else { "J" });
    for line in board {
        println!("{}", String::from_utf8_lossy(&line));
    }
}
