//! Scripts, styles and pictures inside the binary.

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "assets"]
pub(crate) struct Assets;

/// A text asset.
pub(crate) fn text(name: &str) -> Result<String, String> {
    let file = Assets::get(name).ok_or_else(|| format!("there is no asset {name}"))?;
    String::from_utf8(file.data.into_owned()).map_err(|_| format!("{name} is no text"))
}

/// Every script, by name.
pub(crate) fn scripts() -> Vec<(String, String)> {
    let names = Assets::iter().filter(|name| name.ends_with(".js"));
    names
        .filter_map(|name| Some((name.to_string(), text(&name).ok()?)))
        .collect()
}
