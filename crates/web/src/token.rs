//! Secrets nobody can guess, and what is kept of them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// 128 random bits in hexadecimal: who has it may do what it stands for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

/// What is stored of a token: it tells whose it is, and opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct TokenHash(String);

impl Token {
    pub(crate) fn fresh() -> Result<Token, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Token(hexadecimal(&bits)))
    }

    /// The token in a text, if it is one.
    pub(crate) fn read(text: &str) -> Option<Token> {
        let is_token = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_token.then(|| Token(text.to_ascii_lowercase()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(hexadecimal(&Sha256::digest(self.0.as_bytes())))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// A name for something new that nobody guesses: letters and digits without those that look
/// alike, 80 bits of them.
pub(crate) fn fresh_id() -> Result<String, getrandom::Error> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bits = [0_u8; 16];
    getrandom::fill(&mut bits)?;
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte & 31)]);
    Ok(bits.iter().map(letter).collect())
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |four: u8| char::from(DIGITS[usize::from(four)]);
    (bytes.iter())
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_nothing_else_is() {
        let token = Token::fresh().unwrap();
        assert_eq!(Token::read(token.text()), Some(token.clone()));
        assert_ne!(Token::fresh().unwrap(), token);
        assert!(Token::read("").is_none());
        assert!(Token::read(&"g".repeat(32)).is_none());
        assert!(Token::read(&"a".repeat(33)).is_none());
        assert!(!format!("{token:?}").contains(token.text()));
    }

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
