//! Clients, which requests and engine time are charged to.

use std::net::{IpAddr, Ipv6Addr};

use crate::token::TokenHash;

/// The client charged for a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    /// Its address, as [`counted`]; `None` if the game came from its file.
    pub(crate) address: Option<IpAddr>,
    /// Its cookie; `None` for all clients of an address without one: throwing cookies away makes no
    /// new client.
    pub(crate) who: Option<TokenHash>,
}

/// The address by which a client is counted: of IPv6 the network, which is one client's as a whole.
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
