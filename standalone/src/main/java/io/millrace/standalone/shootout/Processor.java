package io.millrace.standalone.shootout;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What processes take of this machine, as Linux counts it. What another system does not tell is NaN or −1. */
final class Processor {

    /** Of {@code /proc/stat}: a hundredth of a second on every Linux. */
    private static final long TICK_NANOS = 10_000_000;

    private static final Path PROC = Path.of("/proc");

    /** The control group of a container, as it sees it; the root of all groups, outside of one, has no {@code cpu.max}. */
    private static final Path GROUP = Path.of("/sys/fs/cgroup");

    /** In the names of HotSpot's C1 and C2 threads, of which the kernel keeps 15 characters. */
    private static final String COMPILER = "CompilerThre";

    private Processor() {}

    /**
     * The processor time so far of some threads or processes, in nanoseconds by their ids.
     */
    record Times(Map<Long, Double> nanos) {

        /** What was spent since earlier times of the same, in nanoseconds; NaN if none of them is known. */
        double since(Times earlier) {
            return nanos.isEmpty()
                    ? Double.NaN
                    : nanos.entrySet().stream()
                            .mapToDouble(entry -> entry.getValue() - earlier.nanos.getOrDefault(entry.getKey(), 0.0))
                            .sum();
        }
    }

    /** Of processes; those that have ended, and all on some systems, are unknown. */
    static Times times(Collection<Long> pids) {
        Map<Long, Double> nanos = new HashMap<>();
        for (long pid : pids) {
            ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .ifPresent(spent -> nanos.put(pid, (double) spent.toNanos()));
        }
        return new Times(nanos);
    }

    /**
     * Of the threads of those processes' just-in-time compilers, if they are JVMs. A thread that ends while there is nothing to compile
     * takes its time along, which has been counted before.
     */
    static Times compilers(Collection<Long> pids) {
        Map<Long, Double> nanos = new HashMap<>();
        for (long pid : pids) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
                for (Path thread : threads) {
                    addIfCompiler(thread, nanos);
                }
            } catch (IOException | RuntimeException endedOrNotLinux) {
                // then others tell whether it is warm
            }
        }
        return new Times(nanos);
    }

    private static void addIfCompiler(Path thread, Map<Long, Double> nanos) {
        try {
            if (Files.readString(thread.resolve("comm")).contains(COMPILER)) {
                String spent = Files.readString(thread.resolve("schedstat")).split(" ", -1)[0];
                nanos.put(Long.valueOf(String.valueOf(thread.getFileName())), Double.valueOf(spent));
            }
        } catch (IOException | RuntimeException ended) {
            // it compiles no more
        }
    }

    /**
     * Processes with all that they have started, such as the workers of nginx or httpd. Of an ancestor of this process, which may listen on
     * behalf of a server, only itself: this process and much else descends from it.
     */
    static Set<Long> trees(Collection<Long> pids) {
        Set<Long> ancestors = new HashSet<>();
        Optional<ProcessHandle> ancestor = ProcessHandle.current().parent();
        while (ancestor.isPresent()) {
            ancestors.add(ancestor.get().pid());
            ancestor = ancestor.get().parent();
        }
        Set<Long> all = new TreeSet<>(pids);
        for (long pid : pids) {
            if (!ancestors.contains(pid)) {
                ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::descendants)
                        .forEach(each -> all.add(each.pid()));
            }
        }
        return all;
    }

    /**
     * What the processors have worked so far, in nanoseconds, also for other virtual machines; NaN if it is unknown. If this process may use
     * some of the machine's processors only, as in a container with a limit, what its control group has: the machine's other processors
     * are busy with what does not disturb.
     */
    static double busyNanos() {
        return isLimited() ? groupNanos() : machineNanos();
    }

    /** Whether this process may use fewer processors than the machine has. */
    static boolean isLimited() {
        try (Stream<String> lines = Files.lines(PROC.resolve("stat"))) {
            return lines.filter(line -> line.matches("cpu[0-9].*")).count() > count();
        } catch (IOException | RuntimeException notLinux) {
            return false;
        }
    }

    private static double groupNanos() {
        String used = Files.exists(GROUP.resolve("cpu.max")) ? field(GROUP.resolve("cpu.stat"), "usage_usec") : "";
        return used.isEmpty() ? Double.NaN : Double.parseDouble(used) * 1000;
    }

    private static double machineNanos() {
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
        long limit = number(GROUP.resolve("memory.max"));
        long used = number(GROUP.resolve("memory.current"));
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

    /** What follows a name, and a colon if there is one, in the first line that begins with it; empty if there is none. */
    private static String field(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(Math.max(line.indexOf(':') + 1, name.length()))
                            .trim())
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
