//! Clients: the owners of requests and engine time, for rate limits.

use std::net::{IpAddr, Ipv6Addr};

use crate::token::TokenHash;

/// The client charged for a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    /// The client's address, as [`counted`]; `None` if the game was loaded from its file.
    pub(crate) address: Option<IpAddr>,
    /// The client's cookie; `None` for all clients of an address without one, so that discarding
    /// cookies makes no new client.
    pub(crate) who: Option<TokenHash>,
}

/// The address that identifies a client: for IPv6 the network, since one client may have all of it.
pub(crate) fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let counted = |text: &str| counted(text.parse().unwrap()).to_string();
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(counted("2001:db8:1:3::1"), "2001:db8:1:3::");
        assert_eq!(counted("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(counted("192.0.2.7"), "192.0.2.7");
    }
}
