//! Resource limits of a program.

const MIB: u64 = 1 << 20;

/// Resource limits of a program. Sizes are in bytes.
///
/// ```
/// use floe_sandbox::ResourceLimits;
///
/// let limits = ResourceLimits { memory: 512 << 20, processes: 8, ..ResourceLimits::default() };
/// assert_eq!(limits.output, 1 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Resident memory of the program and all it starts together, by a look every 10 ms.
    pub memory: u64,
    /// Data of each process as the kernel counts it, resident or not: the wall behind `memory`.
    pub data: u64,
    /// Address space of each process. Off by default, since node and Java reserve gigabytes.
    pub address_space: Option<u64>,
    /// Processor seconds of each process.
    pub cpu_seconds: u64,
    /// The largest file it may write.
    pub file_size: u64,
    /// Open descriptors.
    pub files: u64,
    /// Processes. Each can make the kernel keep much that is not its memory, so they are few.
    pub processes: u64,
    /// Threads of all its processes together.
    pub threads: u64,
    /// Unread standard output.
    pub output: usize,
    /// Total size of the files in its working directory.
    pub disk: u64,
    /// Number of files and folders in its working directory.
    pub entries: u64,
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits {
            memory: 256 * MIB,
            data: 1024 * MIB,
            address_space: None,
            cpu_seconds: 3600,
            file_size: 64 * MIB,
            files: 256,
            processes: 16,
            threads: 64,
            output: MIB as usize,
            disk: 128 * MIB,
            entries: 10_000,
        }
    }
}
