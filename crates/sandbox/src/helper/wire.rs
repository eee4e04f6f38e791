//! The orders from the caller to the supervisor and from the supervisor to the launcher: an order and a
//! descriptor.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};

use crate::layers::Layers;
use crate::limits::ResourceLimits;

/// The first argument that turns a binary with `helper_main` into the supervisor of a program.
pub(crate) const SUPERVISOR: &str = "--floe-sandbox-supervisor";
/// The first argument of the launcher.
pub(super) const LAUNCHER: &str = "--floe-sandbox-launcher";

/// No order is longer; more bytes are not an order.
const LONGEST: usize = 4 << 20;

/// Everything supervisor and launcher need to start one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) command: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) work: PathBuf,
    /// Whether to copy the program's files back to where the caller sees them.
    pub(crate) brings_back: bool,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) layers: Layers,
    pub(crate) limits: ResourceLimits,
    /// The program's cores; all cores if empty.
    pub(crate) cores: Vec<usize>,
    /// The user to become, when started by root.
    pub(crate) uid: Option<u32>,
}

impl Order {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut w = Writer(Vec::new());
        w.number(self.command.len() as u64);
        self.command
            .iter()
            .for_each(|word| w.bytes(word.as_bytes()));
        w.number(self.environment.len() as u64);
        for (name, value) in &self.environment {
            w.bytes(name.as_bytes());
            w.bytes(value.as_bytes());
        }
        w.bytes(self.work.as_os_str().as_bytes());
        w.number(u64::from(self.brings_back));
        w.number(self.readable.len() as u64);
        self.readable
            .iter()
            .for_each(|path| w.bytes(path.as_os_str().as_bytes()));
        w.number(u64::from(self.layers.bits()));
        let l = &self.limits;
        for number in [
            l.memory,
            l.data,
            l.cpu_seconds,
            l.file_size,
            l.files,
            l.processes,
            l.threads,
            l.disk,
            l.entries,
        ] {
            w.number(number);
        }
        w.option(l.address_space);
        w.number(l.output as u64);
        w.number(self.cores.len() as u64);
        self.cores.iter().for_each(|&core| w.number(core as u64));
        w.option(self.uid.map(u64::from));
        w.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Order> {
        let mut r = Reader(bytes);
        let command = r.list(Reader::word)?;
        let environment = r.list(|r| Some((r.word()?, r.word()?)))?;
        let work = PathBuf::from(r.word()?);
        let brings_back = r.number()? != 0;
        let readable = r.list(|r| r.word().map(PathBuf::from))?;
        let layers = Layers::from_bits(u8::try_from(r.number()?).ok()?);
        let limits = ResourceLimits {
            memory: r.number()?,
            data: r.number()?,
            cpu_seconds: r.number()?,
            file_size: r.number()?,
            files: r.number()?,
            processes: r.number()?,
            threads: r.number()?,
            disk: r.number()?,
            entries: r.number()?,
            address_space: r.option()?,
            output: usize::try_from(r.number()?).ok()?,
        };
        let cores = r.list(|r| usize::try_from(r.number()?).ok())?;
        let uid = match r.option()? {
            Some(uid) => Some(u32::try_from(uid).ok()?),
            None => None,
        };
        r.0.is_empty().then_some(Order {
            command,
            environment,
            work,
            brings_back,
            readable,
            layers,
            limits,
            cores,
            uid,
        })
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn option(&mut self, number: Option<u64>) {
        self.number(u64::from(number.is_some()));
        self.number(number.unwrap_or(0));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (head, tail) = self.0.split_first_chunk::<8>()?;
        self.0 = tail;
        Some(u64::from_le_bytes(*head))
    }

    fn option(&mut self) -> Option<Option<u64>> {
        let there = self.number()?;
        let number = self.number()?;
        Some((there != 0).then_some(number))
    }

    fn word(&mut self) -> Option<OsString> {
        let length = usize::try_from(self.number()?).ok()?;
        let (head, tail) = self.0.split_at_checked(length)?;
        self.0 = tail;
        Some(OsString::from_vec(head.to_vec()))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()?;
        // Filled item by item, so that a wrong length is noticed at the end of the bytes.
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(item(self)?);
        }
        Some(items)
    }
}

/// Most descriptors sent with an order.
const DESCRIPTORS: usize = 4;

/// Sends an order with descriptors: the program's standard input, output and error and, for the
/// supervisor, the counter of the turn.
pub(crate) fn hand_over(
    socket: &UnixStream,
    order: &Order,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let bytes = order.encode();
    let length = (bytes.len() as u64).to_le_bytes();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("no room for descriptors"));
    }
    let whole = length.len() + bytes.len();
    let parts = [IoSlice::new(&length), IoSlice::new(&bytes)];
    let sent = rustix::net::sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL)?;
    if sent < whole {
        let rest: Vec<u8> = length.into_iter().chain(bytes).skip(sent).collect();
        let mut socket = socket;
        socket.write_all(&rest)?;
    }
    Ok(())
}

/// Receives what [`hand_over`] sent; `None` if the other end closed first.
pub(super) fn receive<const N: usize>(
    socket: &UnixStream,
) -> io::Result<Option<(Order, [OwnedFd; N])>> {
    let mut length = [0; 8];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = rustix::net::recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut length)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    if got.bytes == 0 {
        return Ok(None);
    }
    let mut descriptors = Vec::with_capacity(N);
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            descriptors.extend(fds);
        }
    }
    let mut socket = socket;
    socket.read_exact(&mut length[got.bytes..])?;
    let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(io::Error::other("an order of impossible length"));
    }
    let mut bytes = vec![0; length];
    socket.read_exact(&mut bytes)?;
    let order = Order::decode(&bytes).ok_or_else(|| io::Error::other("an unreadable order"))?;
    let descriptors = <[OwnedFd; N]>::try_from(descriptors);
    let descriptors = descriptors.map_err(|_| io::Error::other("descriptors are missing"))?;
    Ok(Some((order, descriptors)))
}

/// Lets the launcher start the program, once the supervisor has set limits and owners.
pub(super) fn give_leave(mut socket: &UnixStream) -> io::Result<()> {
    socket.write_all(&[LEAVE])
}

/// Waits for [`give_leave`]; false if the supervisor is gone.
pub(super) fn await_leave(mut socket: &UnixStream) -> io::Result<bool> {
    let mut word = [0];
    loop {
        match socket.read(&mut word) {
            Ok(length) => return Ok(length == 1 && word == [LEAVE]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

const LEAVE: u8 = b'g';

/// Sends bytes together with one descriptor.
pub(super) fn send_with(socket: &UnixStream, bytes: &[u8], fd: BorrowedFd<'_>) -> io::Result<()> {
    let fds = [fd];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&fds)) {
        return Err(io::Error::other("no room for a descriptor"));
    }
    let parts = [IoSlice::new(bytes)];
    let sent = rustix::net::sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL)?;
    let mut socket = socket;
    socket.write_all(&bytes[sent..])
}

/// Receives bytes, and a descriptor if one was sent.
pub(crate) fn receive_with(
    socket: &UnixStream,
    buffer: &mut [u8],
) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(buffer)];
    let got = rustix::net::recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut found = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            found = fds.last();
        }
    }
    Ok((got.bytes, found))
}

/// The socket passed to this process as standard input.
pub(super) fn own_socket() -> io::Result<UnixStream> {
    let fd = rustix::io::fcntl_dupfd_cloexec(io::stdin().as_fd(), 3)?;
    Ok(UnixStream::from(fd))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            command: vec!["./bot".into(), OsString::from_vec(vec![0xff, b'\n', 0])],
            environment: vec![("A".into(), "b c".into())],
            work: "/tmp/x".into(),
            brings_back: true,
            readable: vec!["/usr".into(), "/opt".into()],
            layers: Layers::from_bits(5),
            limits: ResourceLimits {
                address_space: Some(9),
                ..ResourceLimits::default()
            },
            cores: vec![1, 77],
            uid: Some(61_234),
        }
    }

    #[test]
    fn an_order_survives_the_wire() {
        assert_eq!(Order::decode(&order().encode()), Some(order()));
        let plain = Order {
            uid: None,
            ..order()
        };
        assert_eq!(Order::decode(&plain.encode()), Some(plain));
    }

    #[test]
    fn cut_or_spoilt_orders_are_refused_without_a_panic() {
        let bytes = order().encode();
        for end in 0..bytes.len() {
            assert_eq!(Order::decode(&bytes[..end]), None, "{end}");
        }
        for at in 0..bytes.len() {
            let mut spoilt = bytes.clone();
            spoilt[at] ^= 0xff;
            let _ = Order::decode(&spoilt);
        }
    }

    #[test]
    fn descriptors_come_along() {
        let (here, there) = UnixStream::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        let descriptors = [here.as_fd(), writer.as_fd(), here.as_fd()];
        hand_over(&here, &order(), &descriptors).unwrap();
        drop((here, writer));
        let (got, [_, fd, _]) = receive(&there).unwrap().unwrap();
        assert_eq!(got, order());
        io::PipeWriter::from(fd).write_all(b"hello").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        assert!(receive::<3>(&there).unwrap().is_none());
    }
}
