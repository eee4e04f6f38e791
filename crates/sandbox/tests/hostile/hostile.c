/* Programs nobody would want at the table: argv[1] says which, argv[2] marks its processes. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define IS(name) (strcmp(argv[1], name) == 0)
#define MIB (1024 * 1024)

static void nothing(int signal) {}

static void forever(void) {
    for (;;) pause();
}

static void *hoard(void *unused) {
    for (;;) { char *p = malloc(MIB); if (!p) forever(); memset(p, 1, MIB); }
}

static int asleep(void *unused) { forever(); return 0; }

int main(int argc, char **argv) {
    static char block[65536];
    const char *more = argc > 3 ? argv[3] : "";
    if (argc < 3) return 99;
    if (IS("hang")) for (volatile long n = 0;; n++) {}
    if (IS("sleep")) { sleep(1000); return 0; }
    if (IS("exit")) return atoi(more);
    if (IS("segfault")) { *(volatile int *)8 = 1; return 0; }
    if (IS("abort")) abort();
    /* 512 processes: enough to be noticed, too few to take the machine along if nothing holds. */
    if (IS("forkbomb")) { for (int n = 0; n < 9; n++) fork(); forever(); }
    /* So many children at once. */
    if (IS("crowd")) {
        for (int n = 0; n < atoi(more); n++) {
            int child = fork();
            if (child < 0) return 6;
            if (child == 0) forever();
        }
        usleep(200000);
        return 0;
    }
    if (IS("orphan")) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) { close(0); close(1); close(2); forever(); }
            _exit(0);
        }
        wait(NULL);
        return 0;
    }
    if (IS("malloc")) for (;;) {
        char *p = malloc(MIB);
        if (!p) return 3;
        memset(p, 1, MIB);
    }
    if (IS("shared")) for (;;) {
        char *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return 3;
        memset(p, 1, MIB);
    }
    /* Tables of pages and nothing in them: a byte read of each 2 MiB. */
    if (IS("tables") || IS("veiled-tables")) {
        if (IS("veiled-tables")) prctl(PR_SET_NAME, "\xff\xfe\xfd");
        for (int n = 0; n < 64; n++) {
            char *p = mmap(NULL, 1024L * MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (p == MAP_FAILED) return 3;
            madvise(p, 1024L * MIB, MADV_NOHUGEPAGE);
            for (long at = 0; at < 1024L * MIB; at += 2 * MIB) if (((volatile char *)p)[at]) return 4;
        }
        forever();
    }
    /* Messages that nobody reads, in the kernel's memory. */
    if (IS("mail")) {
        int fds[2];
        for (int n = 0; n < 8; n++) if (fork() == 0) {
            while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0) {
                while (write(fds[0], block, sizeof block) > 0) {}
                while (write(fds[1], block, sizeof block) > 0) {}
            }
            forever();
        }
        forever();
    }
    if (IS("family")) {
        for (int n = 0; n < 8; n++) if (fork() == 0) {
            char *p = malloc(16 * MIB);
            memset(p, 1, 16 * MIB);
            forever();
        }
        forever();
    }
    if (IS("cousins")) {
        /* Much memory, but the same pages in all of them. */
        char *p = malloc(24 * MIB);
        memset(p, 1, 24 * MIB);
        for (int n = 0; n < 8; n++) if (fork() == 0) { usleep(200000); _exit(p[n] - 1); }
        while (wait(NULL) > 0) {}
        return 0;
    }
    if (IS("babble")) { memset(block, 'x', sizeof block); for (;;) if (write(1, block, sizeof block) < 0) return 3; }
    if (IS("gigabyte")) {
        memset(block, 'e', sizeof block);
        for (int n = 0; n < 16384; n++) if (write(2, block, sizeof block) < 0) return 3;
        fputs("the end", stderr);
        return 0;
    }
    if (IS("half")) { write(1, "half", 4); forever(); }
    if (IS("nul")) { write(1, block, 100); return 0; }
    if (IS("read")) { int fd = open(more, O_RDONLY); return fd < 0 ? 5 : 0; }
    if (IS("write")) { int fd = open(more, O_WRONLY | O_CREAT, 0666); return fd < 0 ? 5 : write(fd, "x", 1) == 1 ? 0 : 6; }
    if (IS("fill")) {
        int fd = open("big", O_WRONLY | O_CREAT, 0666);
        for (;;) if (write(fd, block, sizeof block) <= 0) return 5;
    }
    if (IS("litter")) {
        /* Small files, then a nap or an end. */
        char name[32];
        for (int n = 0; n < 300; n++) {
            sprintf(name, "f%d", n);
            close(open(name, O_WRONLY | O_CREAT, 0666));
        }
        if (*more) return 0;
        forever();
    }
    if (IS("blocks") || IS("nameless")) {
        char name[32];
        for (int n = 0; n < 24; n++) {
            sprintf(name, "f%d", n);
            int fd = open(name, O_WRONLY | O_CREAT, 0666);
            if (IS("nameless")) unlink(name);
            for (int k = 0; k < 16; k++) if (write(fd, block, sizeof block) <= 0) forever();
            if (IS("blocks")) close(fd);
        }
        forever();
    }
    /* Room that no file shows: reserved beyond its end, its name taken away, held by a mapping. */
    if (IS("reserve")) {
        int fd = open("room", O_RDWR | O_CREAT, 0666);
        if (write(fd, "x", 1) != 1) return 6;
        for (long n = 1; n <= 48; n++) if (fallocate(fd, FALLOC_FL_KEEP_SIZE, n * MIB, MIB)) {
            if (errno != ENOSPC) return 5;
            break;
        }
        unlink("room");
        if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) return 7;
        close(fd);
        forever();
    }
    if (IS("copy")) {
        /* One move of a contest program: reads the one file, writes the other. */
        char text[256];
        int fd = open(more, O_RDONLY);
        long n = read(fd, text, sizeof text);
        if (n < 0) return 5;
        close(fd);
        fd = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0666);
        return write(fd, text, n) == n && write(fd, "moved\n", 6) == 6 ? 0 : 6;
    }
    if (IS("link")) { unlink("state"); return symlink(more, "state") ? 5 : 0; }
    if (IS("pipe")) { unlink("state"); return mkfifo("state", 0666) ? 5 : 0; }
    if (IS("folder")) { unlink("state"); return mkdir("state", 0777) ? 5 : 0; }
    if (IS("twin")) { unlink("state"); return link(more, "state") ? 5 : 0; }
    if (IS("closed")) { unlink("state"); return open("state", O_WRONLY | O_CREAT, 0) < 0 ? 5 : 0; }
    /* Everything about a file that is not in it: 5 if nothing of it was allowed. */
    if (IS("mark")) {
        struct timespec then[2] = {{1, 0}, {1, 0}};
        int flags = 0, file = open(more, O_RDONLY), handle = open(more, O_PATH);
        char entry[64];
        sprintf(entry, "/proc/self/fd/%d", handle);
        /* These may succeed, without changing anything. */
        chmod(more, 0777), fchmod(file, 0777), chmod(entry, 0777);
        fchmodat(AT_FDCWD, more, 0777, 0), syscall(452, AT_FDCWD, more, 0777, 0);
        if (!chown(more, -1, getgid()) || !lchown(more, -1, getgid()) || !fchown(file, -1, getgid())) return 8;
        if (!fchownat(handle, "", -1, getgid(), AT_EMPTY_PATH)) return 9;
        utimensat(AT_FDCWD, more, then, 0), futimens(file, then), utimes(more, NULL);
        if (!setxattr(more, "user.x", "x", 1, 0) || !fsetxattr(file, "user.x", "x", 1, 0)) return 11;
        if (file >= 0 && !ioctl(file, FS_IOC_SETFLAGS, &flags)) return 12;
        return 5;
    }
    /* What builders do with files of their own, and end at an error: CMake, touch. */
    if (IS("tidy")) {
        struct timespec then[2] = {{1, 0}, {1, 0}};
        int file = open("tool", O_RDWR | O_CREAT, 0666);
        if (file < 0 || chmod("tool", 0755) || fchmod(file, 0755) || fchmodat(AT_FDCWD, "tool", 0755, 0)) return 6;
        return utimensat(AT_FDCWD, "tool", then, 0) || futimens(file, then) || utimes("tool", NULL) ? 7 : 0;
    }
    /* A step of a build: makes folders, or writes into those that a step before has made. */
    if (IS("rooms")) return mkdir("deep", 0755) || mkdir("deep/er", 0755) ? 6 : 0;
    if (IS("furnish")) return open("deep/er/file", O_WRONLY | O_CREAT, 0666) < 0 ? 6 : 0;
    /* An answer, and beside it what cannot be put elsewhere; a closed folder around it at last. */
    if (IS("odd")) {
        static char target[4095];
        memset(target, 'x', sizeof target - 1);
        int fd = open("state", O_WRONLY | O_TRUNC);
        if (write(fd, "new\n", 4) != 4 || symlink(target, "long")) return 6;
        mknod("white", S_IFCHR, 0);
        mkfifo("pipe", 0666);
        mkdir("empty", 0);
        if (*more) chmod(".", 0);
        return 0;
    }
    /* An answer, and beside it more than there is room for elsewhere. */
    if (IS("pile")) {
        int fd = open("state", O_WRONLY | O_TRUNC);
        if (write(fd, "new\n", 4) != 4) return 6;
        fd = open("pile", O_WRONLY | O_CREAT, 0666);
        for (int n = 0; n < 16; n++) if (write(fd, block, sizeof block) <= 0) return 7;
        return 0;
    }
    /* So many files, and then lines as usual. */
    if (IS("many")) for (int n = 0; n < atoi(more); n++) {
        char name[32];
        sprintf(name, "f%d", n);
        close(open(name, O_WRONLY | O_CREAT, 0666));
    }
    /* Takes memory when its first thread, for which the kernel shows none, has ended. */
    if (IS("headless")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, hoard, NULL)) return 6;
        pthread_exit(NULL);
    }
    /* A thread with open files of its own: 5 if none can be had. */
    if (IS("apart")) {
        int flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
        if (clone(asleep, block + sizeof block, flags, NULL) >= 0) return 6;
        return syscall(436, 1000, 1000, 2) < 0 ? 5 : 7;
    }
    if (IS("session")) return getsid(0) != getpgid(0) || open("/dev/tty", O_RDWR) >= 0;
    if (IS("hide")) return prctl(PR_SET_DUMPABLE, 0) ? 5 : 6;
    /* Becomes a program that may be run and not read, so that its open files are nobody's business. */
    if (IS("cloak")) {
        int from = open("/proc/self/exe", O_RDONLY), to = open("cloak", O_WRONLY | O_CREAT, 0111);
        for (long n; (n = read(from, block, sizeof block)) > 0;) if (write(to, block, n) != n) return 6;
        close(to);
        execl("./cloak", "cloak", "mail", argv[2], NULL);
        return 7;
    }
    /* Pages given away into pipes, where they are no process's. */
    if (IS("gift")) {
        int fds[2];
        char *p = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        struct { void *base; size_t length; } part = {p, 2 * MIB};
        memset(p, 1, 4 * MIB);
        if (pipe(fds)) return 6;
        return syscall(SYS_vmsplice, fds[1], &part, 1, 0) < 0 && errno == ENOSYS ? 5 : 7;
    }
    if (IS("rules")) {
        long handled[2] = {1, 0};
        return syscall(SYS_landlock_create_ruleset, handled, 8, 0) < 0 && errno == ENOSYS ? 5 : 7;
    }
    /* A lock on every other byte of a file. */
    if (IS("locks")) {
        struct flock one = {.l_type = F_WRLCK, .l_len = 1};
        int fd = open("locked", O_RDWR | O_CREAT, 0666);
        for (one.l_start = 0; one.l_start < 100; one.l_start += 2) if (fcntl(fd, F_SETLK, &one)) return 5;
        return 6;
    }
    /* Full pipes. */
    if (IS("pipes")) {
        int fds[2];
        for (int n = 0; n < 12; n++) if (fork() == 0) {
            while (pipe(fds) == 0) {
                fcntl(fds[1], F_SETFL, O_NONBLOCK);
                while (write(fds[1], block, 4096) > 0) {}
            }
            forever();
        }
        forever();
    }
    /* Processes with as many mappings as the kernel lets them have, and nothing in them. */
    if (IS("quilt")) {
        for (int n = 0; n < 12; n++) if (fork() == 0) {
            for (long k = 0; k < 40000; k++) mmap(NULL, 4096, k % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            forever();
        }
        forever();
    }
    if (IS("watch")) return syscall(SYS_inotify_init1, 0) < 0 && errno == ENOSYS ? 5 : 0;
    if (IS("huge")) return truncate("state", 60L * MIB) ? 5 : 0;
    if (IS("bytes")) { write(1, "\xff\xfe\xc0\x80\xed\xa0\x80\n", 8); return 0; }
    if (IS("cores")) {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set)) return 99;
        for (int n = 0; n < 64; n++) if (CPU_ISSET(n, &set)) return CPU_COUNT(&set) == 1 ? n : 98;
    }
    if (IS("knock")) { int fd = socket(AF_INET, SOCK_STREAM, 0); return fd < 0 ? 5 : 0; }
    if (IS("socket")) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to) ? 5 : 0;
    }
    if (IS("local")) { int fd = socket(AF_UNIX, SOCK_STREAM, 0); return fd < 0 ? 5 : 0; }
    if (IS("pair")) {
        int fds[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) return 5;
        return socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) ? 0 : 6;
    }
    if (IS("ptrace")) return ptrace(PTRACE_ATTACH, getppid(), 0, 0) < 0 ? 5 : 0;
    if (IS("parent")) { int bad = kill(getppid(), SIGKILL); usleep(50000); return bad ? 5 : 6; }
    if (IS("kill")) return kill(atoi(more), SIGKILL) ? 5 : 6;
    /* Limits and priorities of the process that watches: 5 if nothing of it was allowed. */
    if (IS("blind")) {
        struct rlimit none = {0, 0};
        struct sched_param idle = {0};
        pid_t watcher = getppid();
        if (!prlimit(watcher, RLIMIT_CPU, &none, NULL)) return 6;
        if (!prlimit(watcher, RLIMIT_NOFILE, NULL, &none)) return 7;
        if (!sched_setscheduler(watcher, SCHED_IDLE, &idle)) return 8;
        if (!sched_setparam(watcher, &idle)) return 9;
        if (!setpriority(PRIO_PROCESS, watcher, 19)) return 10;
        if (!setpriority(PRIO_PGRP, getpgid(watcher), 19)) return 11;
        if (!setpriority(PRIO_USER, getuid(), 19)) return 12;
        return 5;
    }
    /* No more processor time for the first process of the namespace, and then work for it. */
    if (IS("usurp")) {
        struct rlimit none = {0, 0};
        if (prlimit(1, RLIMIT_CPU, &none, NULL)) return 5;
        for (;;) {
            if (fork() == 0) { fork(); _exit(0); }
            wait(NULL);
        }
    }
    /* Looks for a port, in hexadecimal digits, among the machine's connections. */
    if (IS("connections")) {
        char line[512];
        FILE *table = fopen("/proc/net/tcp", "r");
        while (table && fgets(line, sizeof line, table)) if (strstr(line, more)) return 6;
        return 5;
    }
    if (IS("survive")) return prctl(PR_SET_PDEATHSIG, 0) ? 5 : 6;
    if (IS("modest")) {
        struct rlimit now;
        if (getrlimit(RLIMIT_CPU, &now) || setrlimit(RLIMIT_CPU, &now)) return 6;
        return setpriority(PRIO_PROCESS, 0, 5) ? 7 : 0;
    }
    if (IS("group")) { kill(0, SIGKILL); return 6; }
    if (IS("mute")) { close(1); forever(); }
    if (IS("who")) return geteuid() == 0 || getegid() == 0;
    if (IS("fds")) { int n = 0; for (int fd = 3; fd < 4096; fd++) n += fcntl(fd, F_GETFD) >= 0; return n; }
    if (IS("nest")) {
        for (int n = 0; n < 1000; n++) if (mkdir("d", 0700) || chdir("d")) return 5;
        return 0;
    }
    /* So many calls at random, in children so that the next ones are made whatever becomes of it. How many
     * were made is told after each. */
    if (IS("random")) {
        static char *words[] = {".", "state", "/proc/self/mem", "/dev/null", "/", "", "x", "/usr/bin/env"};
        long wanted = atol(argv[5]), file = open("made", O_RDWR | O_CREAT, 0600);
        if (file < 0 || ftruncate(file, 4096)) return 6;
        volatile long *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (made == MAP_FAILED) return 6;
        sigset_t end;
        sigemptyset(&end);
        sigaddset(&end, SIGCHLD);
        sigprocmask(SIG_BLOCK, &end, NULL);
        srand(atoi(more));
        while (*made < wanted) {
            int seed = rand(), child = fork();
            if (child < 0) return 7;
            if (child == 0) {
                struct itimerval soon = {{0, 2000}, {0, 2000}};
                close(file);
                sigprocmask(SIG_UNBLOCK, &end, NULL);
                srand(seed);
                setitimer(ITIMER_REAL, &soon, NULL);
                for (int n = 0; n < 2000; n++) {
                    long arguments[6], number = rand() % 470;
                    if (number == SYS_sync || number == SYS_syncfs) continue;
                    /* What ends or doubles it comes seldom. */
                    if ((number == SYS_exit || number == SYS_exit_group || number == SYS_fork || number == SYS_vfork
                        || number == SYS_clone || number == SYS_pause) && rand() % 500) continue;
                    for (int k = 0; k < 6; k++) switch (rand() % 8) {
                        case 0: arguments[k] = -1; break;
                        case 1: arguments[k] = (long)block + rand() % 60000; break;
                        case 2: arguments[k] = (long)words[rand() % 8]; break;
                        case 3: arguments[k] = (long)argv[4]; break;
                        case 4: arguments[k] = 1L << rand() % 32; break;
                        default: arguments[k] = rand() % 12;
                    }
                    /* Standard output is for the count. */
                    if ((number == SYS_write || number == SYS_writev || number == SYS_pwritev || number == SYS_pwritev2
                        || number == SYS_sendfile || number == SYS_copy_file_range) && arguments[0] == 1) continue;
                    ++*made;
                    syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
                }
                _exit(0);
            }
            /* A call may wait for ever, and have taken away the clock that would wake it. */
            struct timespec soon = {0, 20000000};
            for (long before = -1; waitpid(child, NULL, WNOHANG) == 0;) {
                if (*made == before) kill(child, SIGKILL);
                before = *made;
                sigtimedwait(&end, NULL, &soon);
            }
            printf("made %ld\n", *made);
            fflush(stdout);
        }
        return 0;
    }
    if (IS("cave")) {
        int fd = open("f", O_WRONLY | O_CREAT, 0);
        for (int n = 0; n < 300; n++) if (mkdir("cave", 0700) || chdir("cave")) return 5;
        chmod(".", 0);
        return fd < 0 ? 6 : 0;
    }
    /* Children that compute while the program itself waits: in its group, in a session of their own,
     * without a parent; those of `duel` keep telling each other to go on. */
    if (IS("spin") || IS("duel")) for (int n = 0; n < 6; n++) if (fork() == 0) {
        if (n == 1) setsid();
        if (n == 2 && fork() != 0) _exit(0);
        for (volatile long k = 0;; k++) if (IS("duel")) kill(0, SIGCONT);
    }
    /* A child that computes, with clocks that let it go on, whoever stopped it. */
    if (IS("veiled")) prctl(PR_SET_NAME, "\xff\xfe\xfd");
    if ((IS("alarm") || IS("veiled")) && fork() == 0) {
        struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
        signal(SIGCONT, nothing);
        for (int n = 1; n <= 1000; n++) {
            struct itimerspec once = {{0, 0}, {n / 50, n % 50 * 20000000}};
            timer_t timer;
            if (timer_create(CLOCK_MONOTONIC, &by, &timer) || timer_settime(timer, 0, &once, NULL)) return 5;
        }
        for (volatile long k = 0;; k++) {}
    }
    if (IS("lines") || IS("spin") || IS("duel") || IS("alarm") || IS("veiled") || IS("many")) {
        char line[256];
        setvbuf(stdout, NULL, _IOLBF, 0);
        while (fgets(line, sizeof line, stdin)) {
            if (!strncmp(line, "die", 3)) abort();
            if (!strncmp(line, "hush", 4)) continue;
            if (!strncmp(line, "crlf", 4)) { printf("yes\r\n"); continue; }
            printf("you said %s", line);
        }
        printf("bye");
        return 0;
    }
    return 98;
}
