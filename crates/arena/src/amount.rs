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

/// An amount of bytes as people write it.
///
/// ```
/// use floe_arena::amount::shown_bytes;
/// assert_eq!([shown_bytes(1), shown_bytes(900), shown_bytes(2048)], ["1 byte", "900 bytes", "2 KiB"]);
/// assert_eq!([shown_bytes(8 << 20), shown_bytes(13_002_342)], ["8 MiB", "12.4 MiB"]);
/// ```
pub fn shown_bytes(bytes: u64) -> String {
    let (unit, name) = match bytes {
        1 => return "1 byte".to_owned(),
        0..1024 => return format!("{bytes} bytes"),
        1024..1_048_576 => (1024.0, "KiB"),
        1_048_576..1_073_741_824 => (1_048_576.0, "MiB"),
        _ => (1_073_741_824.0, "GiB"),
    };
    let text = format!("{:.1}", bytes as f64 / unit);
    format!("{} {name}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A number with one of these units, in the smallest unit.
fn amount(word: &str, units: &[(&str, u64)]) -> Option<u64> {
    let word = word.trim();
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = word.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let amount = number.parse::<f64>().ok()? * *factor as f64;
    // Whole, and small enough that no later sum overflows.
    (amount.fract() == 0.0 && (0.0..1e12).contains(&amount)).then_some(amount as u64)
}
