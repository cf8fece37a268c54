package io.millrace.metrics;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.function.ToLongFunction;

/** The metrics of the process and its JVM, under the names of Prometheus' own client for Java, whose dashboards show them. */
final class ProcessMetrics {

    private static final MetricFamily USED = gauge("jvm_memory_used_bytes", "Memory in use");
    private static final MetricFamily COMMITTED =
            gauge("jvm_memory_committed_bytes", "Memory that the system has granted");
    private static final MetricFamily MAX = gauge("jvm_memory_max_bytes", "Memory that may be used; -1: no limit");
    private static final MetricFamily COLLECTIONS = new MetricFamily(
            "jvm_gc_collection_seconds",
            MetricFamily.Type.SUMMARY,
            "Collections of the garbage collector, and their time");
    private static final MetricFamily THREADS = gauge("jvm_threads_current", "Threads that are not virtual");
    private static final MetricFamily CPU = counter("process_cpu_seconds_total", "Processor time of the process");
    private static final MetricFamily START =
            gauge("process_start_time_seconds", "When the process was started, in seconds since 1970");
    private static final MetricFamily OPEN = gauge("process_open_fds", "Open file descriptors");
    private static final MetricFamily MAX_OPEN = gauge("process_max_fds", "File descriptors that may be open");

    private ProcessMetrics() {}

    /** Adds what this JVM can tell. */
    static void addTo(Metrics metrics) {
        try {
            addTo(new MetricGroup(metrics));
        } catch (LinkageError none) {
            // this JVM lacks the module java.management
        }
    }

    private static void addTo(MetricGroup group) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        add(group, USED, memory, MemoryUsage::getUsed);
        add(group, COMMITTED, memory, MemoryUsage::getCommitted);
        add(group, MAX, memory, MemoryUsage::getMax);
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            group.summary(
                    COLLECTIONS, each::getCollectionCount, () -> each.getCollectionTime() / 1e3, "gc", each.getName());
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        group.number(THREADS, threads::getThreadCount);
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        group.number(START, () -> runtime.getStartTime() / 1e3);
        try {
            Unix.addTo(group);
        } catch (LinkageError none) {
            // this JVM lacks the module jdk.management
        }
    }

    private static void add(
            MetricGroup group, MetricFamily family, MemoryMXBean memory, ToLongFunction<MemoryUsage> figure) {
        group.number(family, () -> figure.applyAsLong(memory.getHeapMemoryUsage()), "area", "heap");
        group.number(family, () -> figure.applyAsLong(memory.getNonHeapMemoryUsage()), "area", "nonheap");
    }

    /** What needs the module jdk.management, apart, so that the others do not. */
    private static final class Unix {

        static void addTo(MetricGroup group) {
            OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
            if (system instanceof com.sun.management.OperatingSystemMXBean process) {
                group.number(CPU, () -> process.getProcessCpuTime() / 1e9);
            }
            if (system instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
                group.number(OPEN, unix::getOpenFileDescriptorCount);
                group.number(MAX_OPEN, unix::getMaxFileDescriptorCount);
            }
        }
    }
}
