//! Unguessable tokens, shared with leagues, and unguessable IDs.

pub(crate) use floe_league::{Token, TokenHash};

/// A random, unguessable ID: letters and digits without similar-looking ones, 80 bits.
pub(crate) fn fresh_id() -> Result<String, getrandom::Error> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bits = [0_u8; 16];
    getrandom::fill(&mut bits)?;
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte & 31)]);
    Ok(bits.iter().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_id_fits_an_address() {
        let id = fresh_id().unwrap();
        assert_eq!(id.len(), 16);
        assert!(
            id.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        );
    }
}
