//! Any bytes are unpacked as an upload or refused: what is unpacked stays in its folder and within
//! its limits, and is files and folders alone.
#![cfg_attr(feature = "fuzzer", no_main)]

use std::fs;
use std::path::Path;

use floe_fuzz::fuzz_target;
use floe_league::archive::{UnpackLimits, unpack};

const LIMITS: UnpackLimits = UnpackLimits {
    bytes: 1 << 16,
    files: 20,
};

fuzz_target!(|bytes: &[u8]| {
    let around = tempfile::tempdir().expect("a folder");
    let folder = around.path().join("upload");
    fs::create_dir(&folder).expect("a folder");
    let unpacked = unpack("bot.c", bytes, LIMITS, &folder);
    let beside = fs::read_dir(around.path()).expect("it is there").count();
    assert_eq!(beside, 1, "something was written beside the folder");
    let (files, size) = contents(&folder);
    if unpacked.is_ok() {
        assert!(files > 0 && files <= LIMITS.files as u64 && size <= LIMITS.bytes);
    }
});

/// The files under a folder and their size.
fn contents(folder: &Path) -> (u64, u64) {
    let (mut files, mut size) = (0, 0);
    for entry in fs::read_dir(folder).expect("it is there") {
        let entry = entry.expect("it can be read");
        let data = entry.path().symlink_metadata().expect("it is there");
        if data.is_dir() {
            let inner = contents(&entry.path());
            files += inner.0;
            size += inner.1;
        } else {
            assert!(data.is_file(), "{entry:?} is neither a file nor a folder");
            files += 1;
            size += data.len();
        }
    }
    (files, size)
}
