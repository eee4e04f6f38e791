//! The referee's ends of a program's pipes, served together so that none can block the others.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::helper::receive_with;
use crate::ring::Ring;

/// Bytes of standard error to store.
const ERRORS: usize = 64 << 10;
/// Bytes read at a time; deadlines are checked in between.
const CHUNK: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) control: Option<UnixStream>,
    input: Option<PipeWriter>,
    output: Option<PipeReader>,
    errors: Option<PipeReader>,
    /// Input to write, and the number of bytes already written.
    waiting: Vec<u8>,
    written: usize,
    close_when_written: bool,
    /// Standard output that was not read yet.
    pub(super) said: Vec<u8>,
    most_said: usize,
    pub(super) ring: Ring,
    /// Messages from the supervisor, and the descriptor sent with them.
    pub(super) supervisor_said: String,
    pub(super) descriptor: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl Pipes {
    pub(super) fn new(
        input: PipeWriter,
        output: PipeReader,
        errors: PipeReader,
        most_said: usize,
    ) -> io::Result<Pipes> {
        for fd in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        Ok(Pipes {
            control: None,
            input: Some(input),
            output: Some(output),
            errors: Some(errors),
            waiting: Vec::new(),
            written: 0,
            close_when_written: false,
            said: Vec::new(),
            most_said,
            ring: Ring::new(ERRORS),
            supervisor_said: String::new(),
            descriptor: None,
            buffer: vec![0; CHUNK],
        })
    }

    /// Listens to the supervisor from now on.
    pub(super) fn attend(&mut self, control: UnixStream) -> io::Result<()> {
        control.set_nonblocking(true)?;
        self.control = Some(control);
        Ok(())
    }

    /// Queues bytes for standard input, and writes as many as fit now.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.waiting.drain(..self.written);
        self.written = 0;
        self.waiting.extend_from_slice(bytes);
        self.write_on();
    }

    /// Closes standard input once all queued bytes are written.
    pub(super) fn close(&mut self) {
        self.close_when_written = true;
        self.write_on();
    }

    /// Whether the program has exceeded its output limit.
    pub(super) fn flooded(&self) -> bool {
        self.said.len() > self.most_said
    }

    /// Whether standard output and error have both ended.
    pub(super) fn drained(&self) -> bool {
        self.output.is_none() && self.errors.is_none()
    }

    /// Whether standard output has ended.
    pub(super) fn silent(&self) -> bool {
        self.output.is_none()
    }

    /// Discards all later output of the program.
    pub(super) fn ignore_output(&mut self) {
        self.output = None;
    }

    /// Waits until a pipe is ready, or for this time, and serves it.
    pub(super) fn turn(&mut self, wait: Duration) -> io::Result<()> {
        let writing = self.written < self.waiting.len();
        let listening = !self.flooded();
        let (mut control, mut output, mut errors, mut input) = (false, false, false, false);
        {
            let mut fds = Vec::with_capacity(4);
            let mut flags: Vec<&mut bool> = Vec::with_capacity(4);
            if let Some(fd) = &self.control {
                fds.push(PollFd::new(fd, PollFlags::IN));
                flags.push(&mut control);
            }
            if let Some(fd) = self.output.as_ref().filter(|_| listening) {
                fds.push(PollFd::new(fd, PollFlags::IN));
                flags.push(&mut output);
            }
            if let Some(fd) = &self.errors {
                fds.push(PollFd::new(fd, PollFlags::IN));
                flags.push(&mut errors);
            }
            if let Some(fd) = self.input.as_ref().filter(|_| writing) {
                fds.push(PollFd::new(fd, PollFlags::OUT));
                flags.push(&mut input);
            }
            let wait = Timespec::try_from(wait).unwrap_or_default();
            match rustix::event::poll(&mut fds, Some(&wait)) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            for (fd, flag) in fds.iter().zip(flags) {
                *flag = !fd.revents().is_empty();
            }
        }
        if input {
            self.write_on();
        }
        if output && let Some(n) = read(&mut self.output, &mut self.buffer) {
            self.said.extend_from_slice(&self.buffer[..n]);
        }
        if errors && let Some(n) = read(&mut self.errors, &mut self.buffer) {
            self.ring.push(&self.buffer[..n]);
        }
        if control {
            self.hear_supervisor();
        }
        Ok(())
    }

    fn hear_supervisor(&mut self) {
        let Some(control) = &self.control else {
            return;
        };
        match receive_with(control, &mut self.buffer) {
            Ok((0, _)) => self.control = None,
            Ok((n, descriptor)) => {
                let said = String::from_utf8_lossy(&self.buffer[..n]);
                self.supervisor_said.push_str(&said);
                self.descriptor = descriptor.or(self.descriptor.take());
            }
            Err(error) if can_wait(&error) => {}
            Err(_) => self.control = None,
        }
    }

    fn write_on(&mut self) {
        while let Some(input) = self
            .input
            .as_mut()
            .filter(|_| self.written < self.waiting.len())
        {
            match input.write(&self.waiting[self.written..]) {
                Ok(n) => self.written += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                // The program has closed its input, which is no fault.
                Err(_) => self.input = None,
            }
        }
        if self.input.is_none() || self.close_when_written {
            self.input = None;
            self.waiting.clear();
            self.written = 0;
        }
    }
}

fn can_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Reads once; at the end of the stream closes it.
fn read<R: Read>(from: &mut Option<R>, buffer: &mut [u8]) -> Option<usize> {
    match from.as_mut()?.read(buffer) {
        Ok(0) => {
            *from = None;
            None
        }
        Ok(n) => Some(n),
        Err(error) if can_wait(&error) => None,
        Err(_) => {
            *from = None;
            None
        }
    }
}
