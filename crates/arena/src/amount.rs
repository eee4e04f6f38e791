//! Times and amounts of memory as people write them: `200ms`, `1.5s`, `256MiB`.

/// Milliseconds: `200ms`, `1.5s`, `2min`.
///
/// ```
/// use floe_arena::amount::milliseconds;
/// assert_eq!(milliseconds("1.5s"), Some(1500));
/// assert_eq!(milliseconds("soon"), None);
/// ```
pub fn milliseconds(text: &str) -> Option<u64> {
    amount(text, &[("ms", 1), ("s", 1000), ("min", 60_000)])
}

/// Mebibytes, at least one: `256MiB`, `1GiB`. Contests mean the same by `128 MB`.
///
/// ```
/// use floe_arena::amount::mebibytes;
/// assert_eq!([mebibytes("1GiB"), mebibytes("128MB"), mebibytes("0MiB")], [Some(1024), Some(128), None]);
/// ```
pub fn mebibytes(text: &str) -> Option<u64> {
    let units = [
        ("MiB", 1),
        ("GiB", 1024),
        ("MB", 1),
        ("GB", 1024),
        ("M", 1),
        ("G", 1024),
    ];
    amount(text, &units).filter(|&mib| mib > 0)
}

/// A number with one of these units, in the smallest of them.
fn amount(word: &str, units: &[(&str, u64)]) -> Option<u64> {
    let word = word.trim();
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = word.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let amount = number.parse::<f64>().ok()? * *factor as f64;
    // Whole, and small enough for every sum that is made of it.
    (amount.fract() == 0.0 && (0.0..1e12).contains(&amount)).then_some(amount as u64)
}
