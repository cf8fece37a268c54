package io.millrace.standalone.shootout;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What processes take of this machine, as Linux counts it. What another system does not tell is NaN or −1. */
final class Processor {

    /** Of {@code /proc/stat}: a hundredth of a second on every Linux. */
    private static final long TICK_NANOS = 10_000_000;

    private static final Path PROC = Path.of("/proc");

    private Processor() {}

    /** The processor time of a process so far, in nanoseconds; NaN if it is unknown. */
    static double nanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .map(Long::doubleValue)
                .orElse(Double.NaN);
    }

    /** What all processors have worked since the machine started, in nanoseconds, also for other virtual machines; NaN if it is unknown. */
    static double busyNanos() {
        try (Stream<String> lines = Files.lines(PROC.resolve("stat"))) {
            String[] ticks = lines.findFirst().orElse("").trim().split(" +", -1);
            // cpu user nice system idle iowait irq softirq steal
            long busy = 0;
            for (int i = 1; i <= 8; i++) {
                busy += i == 4 || i == 5 ? 0 : Long.parseLong(ticks[i]);
            }
            return busy * (double) TICK_NANOS;
        } catch (IOException | RuntimeException notLinux) {
            return Double.NaN;
        }
    }

    static int count() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Its name; empty if it is unknown. */
    static String name() {
        return field(PROC.resolve("cpuinfo"), "model name");
    }

    /** In bytes; −1 if it is unknown. A container may have less. */
    static long availableMemory() {
        long machine = kilobytes(PROC.resolve("meminfo"), "MemAvailable");
        long limit = number(Path.of("/sys/fs/cgroup/memory.max"));
        long used = number(Path.of("/sys/fs/cgroup/memory.current"));
        return limit < 0 || used < 0 || machine < 0 ? machine : Math.min(machine, limit - used);
    }

    /** Resident memory of a process, in bytes; −1 if it is unknown. */
    static long memory(long pid) {
        return kilobytes(PROC.resolve(pid + "/status"), "VmRSS");
    }

    /** Threads of a process; −1 if they are unknown. */
    static int threads(long pid) {
        String text = field(PROC.resolve(pid + "/status"), "Threads");
        return text.isEmpty() ? -1 : Integer.parseInt(text);
    }

    /** How many files this process may have open; a large number if it is unknown. */
    static long openFiles() {
        try (Stream<String> lines = Files.lines(PROC.resolve("self/limits"))) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split(" +", -1)[3])
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Integer.MAX_VALUE);
        } catch (IOException | RuntimeException unknown) {
            return Integer.MAX_VALUE;
        }
    }

    /** The process of this user that listens on a TCP port; −1 if it is unknown. */
    static long listener(int port) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            try (Stream<String> lines = Files.lines(PROC.resolve(table))) {
                lines.map(line -> line.trim().split(" +", -1))
                        .filter(words -> words.length > 9 && words[3].equals("0A"))
                        .filter(words -> words[1].endsWith(String.format(":%04X", port)))
                        .forEach(words -> sockets.add("socket:[" + words[9] + "]"));
            } catch (IOException notLinux) {
                return -1;
            }
        }
        return ProcessHandle.allProcesses()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> hasFile(pid, sockets))
                .findFirst()
                .orElse(-1);
    }

    private static boolean hasFile(long pid, Set<String> names) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path file : files) {
                if (names.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException othersOrEnded) {
            return false;
        }
        return false;
    }

    private static String field(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("");
        } catch (IOException | RuntimeException unknown) {
            return "";
        }
    }

    private static long kilobytes(Path file, String name) {
        String text = field(file, name);
        return text.endsWith(" kB")
                ? Long.parseLong(text.substring(0, text.length() - 3).trim()) * 1024
                : -1;
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).trim());
        } catch (IOException | RuntimeException none) {
            return -1;
        }
    }
}
