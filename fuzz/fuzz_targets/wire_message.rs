//! Any bytes are read as messages between machines or refused; what is read is written back the same.
#![cfg_attr(feature = "fuzzer", no_main)]

use floe_cluster::wire::{Announcement, Batch, Order, UnitResult, read, write};
use floe_fuzz::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|bytes: &[u8]| {
    every(bytes);
    // Most bytes are not compressed, so that only this reaches what is inside.
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes) {
        every(&write(&value).expect("any JSON can be written"));
    }
});

fn every(bytes: &[u8]) {
    once::<Batch>(bytes);
    once::<UnitResult>(bytes);
    once::<Announcement>(bytes);
    once::<Order>(bytes);
}

fn once<T: Serialize + DeserializeOwned>(bytes: &[u8]) {
    if let Ok(message) = read::<T>(bytes) {
        let written = write(&message).expect("it was read");
        let again = read::<T>(&written).expect("it was written here");
        assert_eq!(write(&again).expect("it was read"), written);
    }
}
