use serde::Deserialize;
use toml::Spanned;

use super::{Wrong, wrong};

/// On which machines games with time limits are played.
///
/// ```
/// use floe_arena::tournament::{Description, MachineSpeed};
/// let text = "game = 'flood'\n[machine-speed]\nreference = 900000\nwithin = '10%'\n[entrants]\na = 'greedy'\nb = 'floe'\n";
/// let description = Description::read(text, "cup.toml".as_ref())?;
/// assert_eq!(description.machine_speed, Some(MachineSpeed { reference: 900_000, within_percent: Some(10) }));
/// # Ok::<(), floe_arena::tournament::DescriptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineSpeed {
    /// Positions searched per second on the reference machine, as [`Speeds`](crate::speed::Speeds)
    /// measures them.
    pub reference: u64,
    /// The allowed difference, in percent. Without it, every machine plays, and the time limit of a
    /// move is scaled by the ratio of the speeds.
    pub within_percent: Option<u32>,
}

/// The text of a description.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineSpeedText {
    reference: Spanned<u64>,
    within: Option<Spanned<String>>,
    #[serde(default)]
    scale: bool,
}

/// Reads the table.
pub fn machine_speed(text: &Spanned<MachineSpeedText>) -> Result<MachineSpeed, Wrong> {
    let whole = text.span();
    let text = text.get_ref();
    if *text.reference.get_ref() == 0 {
        let help = "`floe bench` prints how many positions a machine searches in a second";
        return Err(wrong(
            text.reference.span(),
            "the reference speed is 0 positions a second",
            help,
        ));
    }
    let within_percent = match (&text.within, text.scale) {
        (Some(within), false) => {
            let number = within.get_ref().trim().strip_suffix('%');
            let number = number.and_then(|number| number.trim().parse().ok());
            let number = number.filter(|percent| (1..=99).contains(percent));
            Some(number.ok_or_else(|| {
                wrong(
                    within.span(),
                    "not a percentage",
                    "write 1% to 99%, such as \"10%\"",
                )
            })?)
        }
        (None, true) => None,
        _ => {
            let help = "within = \"10%\" plays on machines of that speed only; scale = true plays on \
                        all and scales the time limit";
            return Err(wrong(whole, "write either within or scale = true", help));
        }
    };
    Ok(MachineSpeed {
        reference: *text.reference.get_ref(),
        within_percent,
    })
}
