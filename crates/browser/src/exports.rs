//! The module's interface: a buffer for the question, and a buffer for the answer.
//!
//! The host calls `question` with a length, writes that many bytes of UTF-8 to the address it gets,
//! calls `ask`, which returns the length of the answer, and reads that many bytes from the address
//! that `answer` returns. After a panic the module is used up; `answer` then has the panic's
//! message.

#![allow(unsafe_code)] // naming an export is an unsafe attribute

use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a question of this many bytes, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn question(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question; gives the answer's length in bytes.
#[unsafe(no_mangle)]
extern "C" fn ask() -> usize {
    std::panic::set_hook(Box::new(|panic| {
        tell(panic.to_string());
    }));
    let question = QUESTION.take();
    let text = String::from_utf8_lossy(&question);
    tell(crate::answer(&text))
}

/// Where the answer is, or the message of a panic, which ends with a zero byte.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

fn tell(text: String) -> usize {
    let mut bytes = text.into_bytes();
    let length = bytes.len();
    bytes.push(0);
    ANSWER.set(bytes);
    length
}
