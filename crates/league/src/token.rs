//! Secrets nobody can guess, and what is kept of them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// 128 random bits in hexadecimal: who has it is the participant it was made for.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What is stored of a token: it tells whose it is, and opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TokenHash(String);

impl Token {
    /// A new one.
    pub fn fresh() -> Result<Token, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Token(hexadecimal(&bits)))
    }

    /// The token in a text, if it is one; blanks around it do no harm.
    ///
    /// ```
    /// use floe_league::Token;
    /// let token = Token::fresh()?;
    /// assert_eq!(Token::read(&format!("{}\n", token.text())), Some(token));
    /// assert_eq!(Token::read("secret"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(text: &str) -> Option<Token> {
        let text = text.trim();
        let is_token = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_token.then(|| Token(text.to_ascii_lowercase()))
    }

    /// The secret itself.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What may be stored of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash(hexadecimal(&Sha256::digest(self.0.as_bytes())))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |four: u8| char::from(DIGITS[usize::from(four)]);
    (bytes.iter())
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
