//! How often clients may ask.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::client::Client;

/// Requests an address may make in a second, on the long run: a whole lecture hall may share one.
const ADDRESS_RATE: NonZeroU32 = NonZeroU32::new(1000).expect("more than none");
/// Requests an address may make at once.
const ADDRESS_BURST: NonZeroU32 = NonZeroU32::new(5000).expect("more than none");
/// Requests that do something, or have an engine think, that a visitor may make in a second, or all
/// together at an address who show no cookie.
const VISITOR_RATE: NonZeroU32 = NonZeroU32::new(20).expect("more than none");
/// Their burst limit.
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
    /// Forgets clients who have not asked for a while.
    pub(crate) fn forget(&self) {
        self.addresses.retain_recent();
        self.visitors.retain_recent();
    }
}
