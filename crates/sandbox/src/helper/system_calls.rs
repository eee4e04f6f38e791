//! The filters for system calls: the [table](super::calls) as programs for the kernel.
//!
//! One program for all of it, a search by halves over the numbers, so that a call costs a few steps
//! wherever it stands. A second one, short, takes back at the last moment what the launcher itself needs.

use seccompiler::{BpfProgram, TargetArch, sock_filter};

use super::calls::{Answer, LATE, TABLE, Test, Verdict, find};

/// Not in the kernel's list for 64-bit programs, but reachable with this bit set in the number. No
/// entry of the table has such a number, so none is allowed.
#[cfg(all(test, target_arch = "x86_64"))]
const X32: i64 = 0x4000_0000;

/// Conditions on which some verdicts of the table depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circumstances<'a> {
    /// The processes that the program must not signal, by the numbers it would see.
    pub(crate) protected: &'a [u32],
    /// Whether the program can change only its working directory, which has a limited size.
    pub(crate) own_mounts: bool,
}

impl Circumstances<'_> {
    /// The answer to a call.
    pub(crate) fn verdict(&self, number: i64, arguments: [u64; 6]) -> Verdict {
        let Some(call) = find(number) else {
            return UNKNOWN;
        };
        let (tests, rest) = self.tests(call.answer);
        let holds = |test: &&Test| {
            let masked = arguments[usize::from(test.argument)] as u32 & test.mask;
            (masked == test.value) == test.is_equal
        };
        tests.iter().find(holds).map_or(rest, |test| test.then)
    }

    /// A verdict as tests, of which the first that holds decides, and the verdict otherwise.
    fn tests(&self, answer: Answer) -> (Vec<Test>, Verdict) {
        match answer {
            Answer::Always(verdict) => (Vec::new(), verdict),
            Answer::Tested(tests, rest) => (tests.to_vec(), rest),
            Answer::WithOwnMounts(_) if self.own_mounts => (Vec::new(), Verdict::Allow),
            Answer::WithOwnMounts(error) => (Vec::new(), Verdict::Refuse(error)),
            Answer::Signal(place) => {
                let is = |argument, value, then| Test {
                    argument,
                    mask: u32::MAX,
                    value,
                    is_equal: true,
                    then,
                };
                let mut tests = vec![is(0, u32::MAX, Verdict::Fault)];
                for &pid in self.protected {
                    tests.push(is(0, pid, Verdict::Fault));
                    // A negative number means the process group.
                    tests.push(is(0, pid.wrapping_neg(), Verdict::Fault));
                }
                // Only the caller may resume programs that it stopped.
                let go_on = libc::SIGCONT.unsigned_abs();
                tests.push(is(place, go_on, Verdict::Refuse(libc::EPERM)));
                (tests, Verdict::Allow)
            }
        }
    }
}

/// The verdict on a call that is not in the table.
const UNKNOWN: Verdict = Verdict::Refuse(libc::ENOSYS);

/// Lays the filter on this thread and all it will start that answers as the table says, except for
/// what the launcher still has to do: [`Seal`] is for that.
///
/// The kernel takes its time to look through long filters, so this is for the time before an
/// order.
pub(crate) fn apply(around: Circumstances<'_>) -> Result<(), String> {
    let lines = TABLE.iter().map(|call| match LATE.contains(&call.number) {
        true => (call.number, (Vec::new(), Verdict::Allow)),
        false => (call.number, around.tests(call.answer)),
    });
    lay(&program(lines, UNKNOWN)?)
}

/// The rest of the filters, which is short: the launcher itself needs these calls before. Made ahead of an
/// order.
pub(crate) struct Seal(BpfProgram);

impl Seal {
    pub(crate) fn new(around: Circumstances<'_>) -> Result<Seal, String> {
        let late = TABLE.iter().filter(|call| LATE.contains(&call.number));
        let lines = late.map(|call| (call.number, around.tests(call.answer)));
        program(lines, Verdict::Allow).map(Seal)
    }

    /// Lays it on this thread and all it will start.
    pub(crate) fn lay(self) -> Result<(), String> {
        lay(&self.0)
    }
}

fn lay(program: &BpfProgram) -> Result<(), String> {
    seccompiler::apply_filter(program)
        .map_err(|error| format!("seccomp: {error}: the kernel refuses filters"))
}

/// A filter that answers these calls individually, and all others alike.
fn program(
    lines: impl Iterator<Item = (i64, (Vec<Test>, Verdict))>,
    others: Verdict,
) -> Result<BpfProgram, String> {
    let mut lines: Vec<(u32, Code)> = lines
        .map(|(number, (tests, rest))| (number as u32, Code::of(&tests, rest)))
        .collect();
    lines.sort_by_key(|line| line.0);
    // The first number of each range, with its code.
    let mut parts: Vec<(u32, Code)> = vec![(0, Code::of(&[], others))];
    for (number, code) in lines {
        let before = parts.pop().unwrap_or_else(|| (0, Code::of(&[], others)));
        if before.0 < number {
            parts.push(before);
        }
        push(&mut parts, (number, code));
        push(&mut parts, (number + 1, Code::of(&[], others)));
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| format!("seccomp: {e}"))?;
    let arch = match arch {
        TargetArch::x86_64 => 0xc000_003e,
        TargetArch::aarch64 => 0xc000_00b7,
        TargetArch::riscv64 => 0xc000_00f3,
    };
    let mut program = vec![
        step(LOAD, ARCH),
        jump(IS_EQUAL, arch, 1, 0),
        step(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD, NUMBER),
    ];
    program.extend(search(&parts));
    Ok(program)
}

/// Adds a part, unless the last part is the same.
fn push(parts: &mut Vec<(u32, Code)>, part: (u32, Code)) {
    if parts.last().is_none_or(|last| last.1 != part.1) {
        parts.push(part);
    }
}

/// Binary search for the range of a number.
fn search(parts: &[(u32, Code)]) -> Vec<sock_filter> {
    let (lower, upper) = match parts {
        [] => return Vec::new(),
        [(_, code)] => return code.steps(),
        _ => parts.split_at(parts.len() / 2),
    };
    let (below, above) = (search(lower), search(upper));
    let middle = upper[0].0;
    let mut steps = match u8::try_from(below.len()) {
        Ok(far) => vec![jump(IS_AT_LEAST, middle, far, 0)],
        Err(_) => vec![
            jump(IS_AT_LEAST, middle, 0, 1),
            step(GO, below.len() as u32),
        ],
    };
    steps.extend(below);
    steps.extend(above);
    steps
}

/// The filter code for one call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Code(Vec<(u16, u8, u8, u32)>);

impl Code {
    fn of(tests: &[Test], rest: Verdict) -> Code {
        let mut steps = Vec::new();
        for test in tests {
            // Every argument has eight bytes, lower half first.
            steps.push((LOAD, 0, 0, ARGUMENTS + 8 * u32::from(test.argument)));
            if test.mask != u32::MAX {
                steps.push((AND, 0, 0, test.mask));
            }
            let (yes, no) = if test.is_equal { (0, 1) } else { (1, 0) };
            steps.push((IS_EQUAL, yes, no, test.value));
            steps.push((RETURN, 0, 0, action(test.then)));
        }
        steps.push((RETURN, 0, 0, action(rest)));
        Code(steps)
    }

    fn steps(&self) -> Vec<sock_filter> {
        let step = |&(code, jt, jf, k)| sock_filter { code, jt, jf, k };
        self.0.iter().map(step).collect()
    }
}

fn action(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Allow => libc::SECCOMP_RET_ALLOW,
        Verdict::Refuse(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs(),
        Verdict::Fault => libc::SECCOMP_RET_KILL_PROCESS,
    }
}

// BPF instructions, and the layout of the kernel's data.
const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const GO: u16 = 0x05;
const IS_EQUAL: u16 = 0x15;
const IS_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

fn step(code: u16, k: u32) -> sock_filter {
    jump(code, k, 0, 0)
}

fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a filter as the kernel would; also how many steps that took.
    fn answer(program: &[sock_filter], number: i64, arguments: [u64; 6]) -> (u32, usize) {
        let (mut at, mut value, mut steps) = (0, 0_u32, 0);
        loop {
            steps += 1;
            let step = &program[at];
            at += 1;
            match step.code {
                LOAD if step.k == NUMBER => value = number as u32,
                LOAD if step.k == ARCH => value = program[1].k,
                LOAD => value = arguments[((step.k - ARGUMENTS) / 8) as usize] as u32,
                AND => value &= step.k,
                GO => at += step.k as usize,
                IS_EQUAL => at += usize::from(if value == step.k { step.jt } else { step.jf }),
                IS_AT_LEAST => at += usize::from(if value >= step.k { step.jt } else { step.jf }),
                _ => return (step.k, steps),
            }
        }
    }

    #[test]
    fn the_filter_says_what_the_table_says() {
        for own_mounts in [false, true] {
            let protected = [1, 4711];
            let around = Circumstances {
                protected: &protected,
                own_mounts,
            };
            let lines = TABLE.iter().map(|c| (c.number, around.tests(c.answer)));
            let whole = program(lines, UNKNOWN).unwrap();
            assert!(whole.len() < 4096, "{}", whole.len());
            let values = [
                0,
                1,
                2,
                4,
                6,
                8,
                15,
                18,
                23,
                25,
                33,
                38,
                4711,
                0x5401,
                0x5413,
                0x1000_0000,
            ];
            let more = [
                u64::MAX,
                4711_u64.wrapping_neg(),
                0x40_0021,
                0x1_0000_0001,
                0o020_666,
            ];
            for number in 0..520 {
                for &first in values.iter().chain(&more) {
                    for &second in values.iter().chain(&more) {
                        let arguments = [first, second, first, second, 0, 0];
                        let (found, steps) = answer(&whole, number, arguments);
                        assert_eq!(found, action(around.verdict(number, arguments)), "{number}");
                        assert!(steps < 80, "{number}: {steps}");
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            {
                let twin = answer(&whole, libc::SYS_ptrace | X32, [0; 6]).0;
                assert_eq!(twin, action(UNKNOWN));
            }
        }
    }

    #[test]
    fn the_last_filter_takes_back_what_the_launcher_needs_and_nothing_else() {
        let around = Circumstances {
            protected: &[1],
            own_mounts: true,
        };
        let late = TABLE.iter().filter(|call| LATE.contains(&call.number));
        let lines = late.map(|call| (call.number, around.tests(call.answer)));
        let last = program(lines, Verdict::Allow).unwrap();
        for number in 0..520 {
            let expected = match LATE.contains(&number) {
                true => around.verdict(number, [0; 6]),
                false => Verdict::Allow,
            };
            assert_eq!(
                answer(&last, number, [0; 6]).0,
                action(expected),
                "{number}"
            );
        }
    }
}
