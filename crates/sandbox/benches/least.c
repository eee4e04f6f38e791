/* The least that a start in namespaces costs, to compare `cargo bench -p floe-sandbox --bench start` with:
 *
 *     cc -O2 crates/sandbox/benches/least.c -o least && sudo ./least 400
 *
 * "cold": a process in new namespaces of processes, mounts, IPC, names and network, with a tmpfs as its root and
 * /usr in it, becomes /usr/bin/true. "ready": the process with its root waits, gets the order to start it in a
 * child, and reports its end over a socket. Neither has Landlock, filters, limits, a user or a control group. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPACES (CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET)
static char *words[] = {"/usr/bin/true", NULL}, *none[] = {NULL};

static void must(int failed, const char *what) {
    if (failed) { perror(what); _exit(1); }
}

static void new_root(void) {
    must(mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL), "cut off");
    must(mount("tmpfs", "/tmp", "tmpfs", 0, "size=1m"), "tmpfs");
    must(mkdir("/tmp/old", 0755) || mkdir("/tmp/usr", 0755), "folders");
    must(mount("/usr", "/tmp/usr", NULL, MS_BIND | MS_REC, NULL), "bind");
    must(symlink("usr/lib", "/tmp/lib") || symlink("usr/lib64", "/tmp/lib64"), "links");
    must(syscall(SYS_pivot_root, "/tmp", "/tmp/old") || chdir("/"), "pivot_root");
}

static void leave_old(void) {
    must(umount2("/old", MNT_DETACH), "umount");
}

static double micros(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static pid_t child(int flags) {
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static double bare(void) {
    double start = micros();
    pid_t pid = vfork();
    if (pid == 0) { execve(words[0], words, none); _exit(1); }
    waitpid(pid, NULL, 0);
    return micros() - start;
}

static double cold(void) {
    double start = micros();
    pid_t pid = child(SPACES);
    must(pid < 0, "clone");
    if (pid == 0) { new_root(); leave_old(); execve(words[0], words, none); _exit(1); }
    int status;
    waitpid(pid, &status, 0);
    must(status, "cold program");
    return micros() - start;
}

static double ready(void) {
    int ends[2];
    char word;
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socket");
    pid_t pid = child(SPACES);
    must(pid < 0, "clone");
    if (pid == 0) {
        new_root();
        must(write(ends[1], "r", 1) != 1 || read(ends[1], &word, 1) != 1, "order");
        leave_old();
        pid_t program = vfork();
        if (program == 0) { execve(words[0], words, none); _exit(1); }
        int status;
        waitpid(program, &status, 0);
        must(status, "ready program");
        must(write(ends[1], "d", 1) != 1, "report");
        _exit(0);
    }
    must(read(ends[0], &word, 1) != 1, "readiness");
    usleep(5000);
    double start = micros();
    must(write(ends[0], "g", 1) != 1 || read(ends[0], &word, 1) != 1, "report");
    double time = micros() - start;
    waitpid(pid, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return time;
}

static int order(const void *a, const void *b) {
    return *(const double *)a < *(const double *)b ? -1 : 1;
}

int main(int count, char **words_) {
    int rounds = count > 1 ? atoi(words_[1]) : 400;
    double (*ways[])(void) = {bare, cold, ready};
    const char *names[] = {"bare", "cold", "ready"};
    double *times = calloc(3 * rounds, sizeof *times), base = 0;
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < 3; way++) times[way * rounds + round] = ways[way]();
    for (int way = 0; way < 3; way++) {
        double *mine = times + way * rounds;
        qsort(mine, rounds, sizeof *mine, order);
        if (way == 0) base = mine[rounds / 2];
        printf("%-6s ms: best %.2f, median %.2f, over bare %+.2f\n", names[way], mine[0] / 1e3,
               mine[rounds / 2] / 1e3, (mine[rounds / 2] - base) / 1e3);
    }
}
