//! What the contest programs are made of, where tests, fuzzers and benchmarks can reach it.

pub mod gamma;
