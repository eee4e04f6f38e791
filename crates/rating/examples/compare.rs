//! Says who of two players is better, by the results of pairs of games:
//!
//! ```sh
//! cargo run -p floe-rating --example compare -- 3 10 20 15 12
//! ```
//!
//! The numbers count the pairs that brought the first player 0, ½, 1, 1½ and 2 points.

use floe_rating::{Pentanomial, Sprt};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let counts: Result<Vec<u64>, _> = words.iter().map(|word| word.parse()).collect();
    let [ll, ld, even, wd, ww] = counts?[..] else {
        return Err("give five counts of pairs: with 0, 1/2, 1, 3/2 and 2 points".into());
    };
    let pairs = Pentanomial {
        ll,
        ld,
        wl: even,
        dd: 0,
        wd,
        ww,
    };
    match pairs.sample().elo() {
        Ok(elo) => println!("{elo} Elo"),
        Err(reason) => println!("no Elo: {reason}"),
    }
    let sprt: Sprt = "elo0=0,elo1=20".parse()?;
    let trial = sprt.trial(pairs);
    println!("elo0=0,elo1=20: LLR {:.2}, {:?}", trial.llr, trial.verdict);
    Ok(())
}
