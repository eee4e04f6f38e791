//! Memory that is no process's, and programs that hide what they have.

use std::sync::PoisonError;

use floe_sandbox::{Forbidden, Layers, ProgramEnd};

use crate::support::*;

#[test]
fn what_the_kernel_keeps_for_a_program_counts() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    for deed in ["veiled-tables", "pipes", "quilt", "headless"] {
        expect(&every_layer(), &[deed], LONG, &ProgramEnd::TooMuchMemory);
    }
}

#[test]
fn what_nobody_can_count_is_refused() {
    for deed in ["gift", "rules", "locks"] {
        expect(&confined(), &[deed], LONG, &ProgramEnd::Exited(5));
    }
}

#[test]
fn nobody_hides_its_open_files() {
    let _some = PROCESSES.read().unwrap_or_else(PoisonError::into_inner);
    expect(&confined(), &["hide"], LONG, &ProgramEnd::Exited(5));
    expect(&confined(), &["apart"], LONG, &ProgramEnd::Exited(5));
    // A file that may be run and not read hides them from an ordinary user, who ends it for that.
    let ends = [
        ProgramEnd::Forbidden(Forbidden::Hiding),
        ProgramEnd::TooMuchMemory,
    ];
    for layers in every_layer() {
        let outcome = play(layers, &["cloak"], LONG).outcome;
        assert!(ends.contains(&outcome), "{outcome:?}, {layers}");
    }
}

#[test]
fn nobody_has_the_terminal_of_its_caller() {
    expect(&every_layer(), &["session"], LONG, &ProgramEnd::Exited(0));
    assert!(every_layer().contains(&Layers::NONE));
}
