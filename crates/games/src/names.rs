//! Names of the players of one game.

/// The names, with equal ones numbered in their order, so that texts can tell them apart.
///
/// ```
/// use floe_games::distinct_names;
/// let names = ["floe:medium", "Ada", "floe:medium"].map(str::to_owned);
/// assert_eq!(distinct_names(&names), ["floe:medium #1", "Ada", "floe:medium #2"]);
/// ```
pub fn distinct_names(names: &[String]) -> Vec<String> {
    let distinct = |(at, name): (usize, &String)| match count(names, name) {
        1 => name.clone(),
        _ => format!("{name} #{}", count(&names[..=at], name)),
    };
    names.iter().enumerate().map(distinct).collect()
}

fn count(among: &[String], name: &str) -> usize {
    among.iter().filter(|one| *one == name).count()
}
