//! Rate limits of clients.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::client::Client;

/// Requests per second of an address in the long run: a whole lecture hall may share one.
const ADDRESS_RATE: NonZeroU32 = NonZeroU32::new(1000).expect("more than none");
/// Requests an address may make at once.
const ADDRESS_BURST: NonZeroU32 = NonZeroU32::new(5000).expect("more than none");
/// Requests per second that change something or use an engine, of a visitor, or of all visitors
/// without a cookie at an address.
const VISITOR_RATE: NonZeroU32 = NonZeroU32::new(20).expect("more than none");
/// The burst limit of a visitor.
const VISITOR_BURST: NonZeroU32 = NonZeroU32::new(100).expect("more than none");

/// The rate limits.
pub(crate) struct Rates {
    pub(crate) addresses: DefaultKeyedRateLimiter<IpAddr>,
    pub(crate) visitors: DefaultKeyedRateLimiter<Client>,
}

impl Default for Rates {
    fn default() -> Self {
        let quota = |rate, burst| Quota::per_second(rate).allow_burst(burst);
        Rates {
            addresses: RateLimiter::keyed(quota(ADDRESS_RATE, ADDRESS_BURST)),
            visitors: RateLimiter::keyed(quota(VISITOR_RATE, VISITOR_BURST)),
        }
    }
}

impl Rates {
    /// Removes clients without a recent request.
    pub(crate) fn forget(&self) {
        self.addresses.retain_recent();
        self.visitors.retain_recent();
    }
}
