//! Plays Penguins in the contest's way: `rustc -O -o penguins_rs penguins.rs`
//! `floe match penguins ./penguins_rs greedy`
use std::{env, fs, process};

const NAME: &str = "frostbite";
const STEPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

fn stop(code: i32, why: &str) -> ! { // 1: nothing to do, 2: the state is wrong, 3: everything else
    eprintln!("{why}");
    process::exit(code)
}

struct Player { id: String, number: u8, score: u32 }

/// The board, two digits a field, and the players.
fn read(text: &str) -> Option<(Vec<Vec<[u8; 2]>>, Vec<Player>)> {
    let mut lines = text.trim_end().lines();
    let size: Vec<usize> = lines.next()?.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let &[rows, columns] = &size[..] else { return None };
    let field = |word: &str| match *word.as_bytes() {
        [fish @ b'0'..=b'3', owner @ b'0'..=b'9'] => Some([fish - b'0', owner - b'0']),
        _ => None,
    };
    let row = |line: &str| line.split_whitespace().map(field).collect::<Option<Vec<_>>>();
    let board: Vec<_> = lines.by_ref().take(rows).map(row).collect::<Option<_>>()?;
    let player = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[id, number, score] = &words[..] else { return None };
        let number = number.parse().ok().filter(|number| (1..=9).contains(number))?;
        Some(Player { id: id.to_owned(), number, score: score.parse().ok()? })
    };
    let players: Vec<Player> = lines.map(player).collect::<Option<_>>()?;
    let is_double = |i: usize| players[..i].iter().any(|p| p.id == players[i].id || p.number == players[i].number);
    let is_known = |owner: u8| owner == 0 || players.iter().any(|player| player.number == owner);
    let is_good = rows > 0 && columns > 0 && board.len() == rows && board.iter().all(|row| row.len() == columns);
    (is_good && !(0..players.len()).any(is_double) && board.iter().flatten().all(|field| is_known(field[1])))
        .then_some((board, players))
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.iter().any(|word| word == "name") {
        return println!("{NAME}");
    }
    let option = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
    let files: Vec<&String> = words.iter().filter(|word| !word.contains('=')).collect();
    let placing = option("phase=") == Some("placement");
    let most = option("penguins=").and_then(|n| n.parse::<usize>().ok()).filter(|&n| n > 0);
    if files.len() != 2 || !(placing && most.is_some() || option("phase=") == Some("movement")) {
        stop(3, "usage: phase=placement penguins=N in out, or phase=movement in out, or name");
    }
    let text = fs::read_to_string(files[0]).unwrap_or_else(|error| stop(3, &error.to_string()));
    let Some((mut board, mut players)) = read(&text) else { stop(2, &format!("{}: the state is wrong", files[0])) };
    let own = players.iter().position(|player| player.id == NAME);
    let free = || (1..=9).find(|n| players.iter().all(|p| p.number != *n)).unwrap_or_else(|| stop(2, "no seat is free"));
    let me = own.map_or_else(free, |own| players[own].number);
    let squares: Vec<_> = (0..board.len()).flat_map(|r| (0..board[0].len()).map(move |c| (r, c))).collect();
    let mine: Vec<_> = squares.iter().copied().filter(|&(r, c)| board[r][c][1] == me).collect();
    let mut moves = Vec::new(); // fish, from where, to where
    if placing && mine.len() < most.unwrap_or(0) {
        moves.extend(squares.iter().filter(|&&(r, c)| board[r][c] == [1, 0]).map(|&to| (1, None, to)));
    } else if !placing && own.is_some() {
        for &(row, column) in &mine {
            for (down, right) in STEPS {
                let step = |(r, c): (usize, usize)| Some((r.checked_add_signed(down)?, c.checked_add_signed(right)?));
                let mut at = step((row, column));
                while let Some((r, c)) = at.filter(|&(r, c)| matches!(board.get(r).and_then(|row| row.get(c)), Some([1..=3, 0]))) {
                    moves.push((board[r][c][0], Some((row, column)), (r, c)));
                    at = step((r, c));
                }
            }
        }
    }
    let mut after = text; // with nothing to do the state arrives as it came
    let best = moves.iter().max_by_key(|mv| mv.0);
    if let Some(&(fish, from, (r, c))) = best {
        if let Some((r, c)) = from { board[r][c] = [0, 0]; }
        board[r][c] = [0, me];
        if own.is_none() { players.push(Player { id: NAME.into(), number: me, score: 0 }); }
        let own = own.unwrap_or(players.len() - 1);
        players[own].score += u32::from(fish);
        let rows = board.iter().map(|row| row.iter().map(|f| format!("{}{}", f[0], f[1])).collect::<Vec<_>>().join(" ") + "\n");
        let lines = players.iter().map(|player| format!("{} {} {}\n", player.id, player.number, player.score));
        after = format!("{} {}\n", board.len(), board[0].len()) + &rows.chain(lines).collect::<String>();
    }
    fs::write(files[1], after).unwrap_or_else(|error| stop(3, &error.to_string()));
    process::exit(i32::from(best.is_none()));
}
