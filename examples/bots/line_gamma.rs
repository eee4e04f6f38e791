//! Plays Gamma in the line protocol: `rustc -O line_gamma.rs`
//! `floe match gamma line:./line_gamma greedy`
use std::io::{self, BufRead};

type Board = Vec<Vec<u32>>; // row 0 is the top one, 0 is a free field

fn around(board: &Board, (row, column): (usize, usize)) -> Vec<(usize, usize)> {
    let mut near = Vec::new();
    if row > 0 { near.push((row - 1, column)); }
    if column > 0 { near.push((row, column - 1)); }
    if row + 1 < board.len() { near.push((row + 1, column)); }
    if column + 1 < board[row].len() { near.push((row, column + 1)); }
    near
}

fn squares(board: &Board) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (rows, columns) = (board.len(), board[0].len());
    (0..rows * columns).map(move |i| (i / columns, i % columns))
}

fn areas(board: &Board, player: u32) -> u32 {
    let mut seen = vec![vec![false; board[0].len()]; board.len()];
    let mut count = 0;
    for (row, column) in squares(board) {
        let mut todo = vec![(row, column)];
        let is_new = board[row][column] == player && !seen[row][column];
        while let Some((r, c)) = todo.pop().filter(|_| is_new) {
            if board[r][c] == player && !std::mem::replace(&mut seen[r][c], true) {
                todo.extend(around(board, (r, c)));
            }
        }
        count += u32::from(is_new);
    }
    count
}

fn name(board: &Board, (row, column): (usize, usize)) -> String {
    let (mut letters, mut left) = (String::new(), column + 1);
    while left > 0 {
        letters.insert(0, (b'a' + ((left - 1) % 26) as u8) as char);
        left = (left - 1) / 26;
    }
    format!("{letters}{}", board.len() - row) // a1 is at the bottom left, after z comes aa
}

fn play(text: &[String], me: u32) -> Option<String> {
    let limit = text[0].split(' ').nth(4)?.parse().ok()?;
    let number = |field: &str| field.parse().unwrap_or(0);
    let read = |line: &String| match line.trim().contains(' ') {
        true => line.split_whitespace().map(number).collect(),
        false => line.trim().chars().map(|c| number(&c.to_string())).collect(),
    };
    let mut board: Board = text[2..].iter().map(read).collect();
    let is_below = areas(&board, me) < limit;
    let mine = |at| around(&board, at).iter().any(|&(r, c)| board[r][c] == me);
    if let Some(at) = squares(&board).find(|&at| board[at.0][at.1] == 0 && (is_below || mine(at))) {
        return Some(name(&board, at));
    }
    squares(&board).find(|&(r, c)| { // nothing free will do: the golden move
        let victim = std::mem::replace(&mut board[r][c], me);
        let is_good = victim != 0 && victim != me && areas(&board, me) <= limit && areas(&board, victim) <= limit;
        board[r][c] = victim;
        is_good
    }).map(|at| name(&board, at) + "!")
}

fn main() {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let mut me = 1;
    while let Some(line) = lines.next() {
        match line.split(' ').next() {
            Some("floe") => { // floe 1 gamma seat=1 seats=2
                me = line.split("seat=").nth(1).and_then(|s| s.split(' ').next()?.parse().ok()).unwrap_or(1);
                println!("ok Rusty");
            }
            Some("position") => { // its lines, then a dot, then `go` and the milliseconds for the move
                let mut text: Vec<String> = lines.by_ref().take_while(|l| !l.starts_with("go ")).collect();
                text.pop();
                println!("move {}", play(&text, me).unwrap_or_default());
            }
            _ => break, // end 12 9
        }
    }
}
