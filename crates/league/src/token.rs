//! Unguessable tokens, and the hashes stored of them.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// 128 random bits in hexadecimal: they prove their holder's rights.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The stored hash of a token: it identifies the owner, and grants no access.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TokenHash(String);

impl Token {
    /// A new random token.
    pub fn fresh() -> Result<Token, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Token(HEXLOWER.encode(&bits)))
    }

    /// Reads a text that consists of a token and nothing else; trim the newline of a file's line
    /// first.
    ///
    /// ```
    /// use floe_league::Token;
    /// let token = Token::fresh()?;
    /// assert_eq!(Token::read(&token.text().to_uppercase()), Some(token.clone()));
    /// assert_eq!(Token::read(&format!("{}\n", token.text())), None);
    /// assert_eq!(Token::read("secret"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(text: &str) -> Option<Token> {
        let is_token = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_token.then(|| Token(text.to_ascii_lowercase()))
    }

    /// The secret itself.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The hash to store.
    pub fn hash(&self) -> TokenHash {
        TokenHash(HEXLOWER.encode(&Sha256::digest(self.0.as_bytes())))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
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
        assert!(Token::read(&format!(" {}", token.text())).is_none());
        assert!(!format!("{token:?}").contains(token.text()));
    }
}
