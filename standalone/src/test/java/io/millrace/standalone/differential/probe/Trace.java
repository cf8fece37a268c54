package io.millrace.standalone.differential.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What happened in one case, in the order in which it happened. All applications of a JVM share it, and it is made of the JDK's classes
 * only: each application has this class once more. A second request fetches it, so that it is seen whatever became of the response.
 */
final class Trace {

    /** The request header that names the case. */
    static final String CASE = "X-Case";

    private static final String SHARED = "millrace.differential.trace";
    private static final String BEGUN = "begun";
    private static final String ENDED = "ended";
    private static final long LONGEST_WAIT = 1_500_000_000;

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private Trace() {}

    @SuppressWarnings("unchecked")
    private static Map<String, List<String>> all() {
        Properties shared = System.getProperties();
        return (Map<String, List<String>>) shared.computeIfAbsent(SHARED, key -> new ConcurrentHashMap<>());
    }

    private static List<String> of(String name) {
        return all().computeIfAbsent(name, key -> new ArrayList<>());
    }

    /** The case of this thread, for listeners that are told no request. */
    static void enter(@Nullable String name) {
        if (name == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(name);
        }
    }

    static @Nullable String current() {
        return CURRENT.get();
    }

    static void add(@Nullable String name, String line) {
        if (name != null) {
            List<String> lines = of(name);
            synchronized (lines) {
                lines.add(line);
            }
        }
    }

    static void add(String line) {
        add(CURRENT.get(), line);
    }

    /** Something has begun, which {@link #ended} is to follow before the case is complete. */
    static void begun(@Nullable String name) {
        add(name, BEGUN);
    }

    static void ended(@Nullable String name) {
        add(name, ENDED);
    }

    /** All lines of a case that has ended, or does not end. */
    static List<String> take(String name) {
        List<String> lines = of(name);
        long start = System.nanoTime();
        while (!isComplete(lines) && System.nanoTime() - start < LONGEST_WAIT) {
            LockSupport.parkNanos(1_000_000);
        }
        all().remove(name);
        synchronized (lines) {
            List<String> shown = new ArrayList<>(lines);
            shown.removeIf(line -> line.equals(BEGUN) || line.equals(ENDED));
            return shown;
        }
    }

    private static boolean isComplete(List<String> lines) {
        synchronized (lines) {
            return lines.stream().filter(BEGUN::equals).count()
                    <= lines.stream().filter(ENDED::equals).count();
        }
    }
}
