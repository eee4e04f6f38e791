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
    /// Resident memory of the program and all its child processes together, checked every 10 ms.
    pub memory: u64,
    /// Data of each process as the kernel counts it, resident or not: a hard limit behind `memory`.
    pub data: u64,
    /// Address space of each process. Off by default, since node and Java reserve gigabytes.
    pub address_space: Option<u64>,
    /// Processor seconds of each process.
    pub cpu_seconds: u64,
    /// Size limit of one file that the program writes.
    pub file_size: u64,
    /// Open descriptors.
    pub files: u64,
    /// Number of processes. Each can make the kernel use much memory that is not its own, so they
    /// are few.
    pub processes: u64,
    /// Most threads of all processes together.
    pub threads: u64,
    /// Unread standard output.
    pub output: usize,
    /// Size limit of the files in the working directory together.
    pub disk: u64,
    /// Most files and folders in the working directory.
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
