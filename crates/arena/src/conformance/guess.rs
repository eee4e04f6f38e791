//! The common cause of a program's wrong answers.

use std::collections::BTreeSet;

use floe_games::{AnyPosition, Fault, FaultKind};
use floe_rules::{Slip, Square, respelt};

use super::Finding;
use crate::seat::Protocol;

/// Whether the program answered, and wrongly.
pub(super) fn is_wrong_answer(fault: &Fault) -> bool {
    matches!(
        fault.kind,
        FaultKind::IllegalMove | FaultKind::UnreadableAnswer | FaultKind::FileTampering
    )
}

/// The slip that explains every wrong answer among these, if one does.
pub(super) fn slip(findings: &[Finding], protocol: Protocol) -> Option<Slip> {
    let mut common: Option<Vec<Slip>> = None;
    let mut answers = BTreeSet::new();
    for (position, fault) in wrong_answers(findings) {
        let slips = slips(position, fault, protocol);
        common = Some(match common {
            None => slips,
            Some(common) => common
                .into_iter()
                .filter(|slip| slips.contains(slip))
                .collect(),
        });
        answers.insert(fault.answer.as_str());
    }
    // One answer alone may fit swapped coordinates by chance.
    let is_sure = |slip: &Slip| !slip.is_of_coordinates() || answers.len() > 1;
    common?.into_iter().find(is_sure)
}

fn wrong_answers(findings: &[Finding]) -> impl Iterator<Item = (&dyn AnyPosition, &Fault)> {
    let answered = |finding: &Finding| {
        let fault = finding.fault.as_ref();
        fault.is_some_and(|fault| is_wrong_answer(fault) && !fault.answer.is_empty())
    };
    let answered = findings.iter().filter(move |finding| answered(finding));
    answered.filter_map(|one| Some((&**one.position.as_ref()?, one.fault.as_ref()?)))
}

/// The slips that explain one wrong answer.
fn slips(position: &dyn AnyPosition, fault: &Fault, protocol: Protocol) -> Vec<Slip> {
    // Records write invisible characters as escapes.
    let answer = fault.answer.replace("\\u{d}", "\r");
    match protocol {
        Protocol::Contest(dialect) => {
            let name = Some(fault.id.as_str()).filter(|name| !name.is_empty());
            let Ok(dialect) = position.dialect(dialect) else {
                return Vec::new();
            };
            let plain = with_plain_ends(&answer);
            let is_about_ends = plain != answer && dialect.answer(name, &plain).is_ok();
            let ends = is_about_ends.then_some(Slip::CarriageReturns);
            ends.into_iter()
                .chain(dialect.slips(name, &answer))
                .collect()
        }
        Protocol::Line => {
            let view = position.view();
            let is_right = |mv: &str| position.check(mv).is_ok();
            let last = answer.split_whitespace().next_back().unwrap_or_default();
            let is_unread = fault.kind == FaultKind::UnreadableAnswer;
            let bare = (is_unread && is_right(last)).then_some(Slip::NoWord);
            let meant = respelt(answer.trim(), view.width, view.height).into_iter();
            let meant = meant
                .filter(|(_, meant)| is_right(meant))
                .map(|(slip, _)| slip);
            bare.into_iter().chain(meant).collect()
        }
    }
}

/// The text with every line end turned into a single newline.
fn with_plain_ends(text: &str) -> String {
    let whole = text.replace("\r\r\n", "\n").replace("\r\n", "\n");
    whole.replace('\r', "\n")
}

/// The squares of the board that a wrong answer is about.
pub(super) fn squares(
    position: &dyn AnyPosition,
    fault: &Fault,
    protocol: Protocol,
) -> Vec<Square> {
    let view = position.view();
    let mut squares = Vec::new();
    match protocol {
        Protocol::Contest(dialect) => {
            if let (Some((line, column)), Ok(dialect)) = (fault.at, position.dialect(dialect)) {
                squares.extend(dialect.square_at(line, column));
            }
        }
        Protocol::Line => {
            let mut rest = fault.answer.as_str();
            while let Some(c) = rest.chars().next() {
                match Square::read_prefix(rest) {
                    Ok((square, after)) => {
                        squares.push(square);
                        rest = after;
                    }
                    Err(_) => rest = &rest[c.len_utf8()..],
                }
            }
        }
    }
    squares.retain(|square| square.column < view.width && square.row < view.height);
    squares
}
