package io.millrace.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an object is not garbage: the shortest reference path to it from a GC root, from a heap dump of this JVM. For the
 * message of a test that waited in vain for garbage collection.
 */
public final class HeapPath {

    private final HeapDump dump;
    private final Map<Long, Step> reached = new HashMap<>();
    private final Deque<Long> next = new ArrayDeque<>();

    /** A reference from another object; from 0 for a root. */
    private record Step(long from, String by) {}

    private HeapPath(HeapDump dump) {
        this.dump = dump;
    }

    /**
     * The path to an instance of a class, one reference per line, beginning with the root; or that there is none. Takes
     * seconds.
     *
     * @param className binary name
     */
    public static String to(String className) throws IOException {
        Path directory = Files.createTempDirectory("heap");
        Path file = directory.resolve("now.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
            return new HeapPath(HeapDump.read(file)).find(className.replace('.', '/'));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private String find(String className) {
        dump.roots().forEach((id, kind) -> reach(id, new Step(0, kind)));
        for (Long at = next.poll(); at != null; at = next.poll()) {
            if (className.equals(dump.classNameOf(at))) {
                return path(at);
            }
            long from = at;
            dump.references(at, (by, to) -> reach(to, new Step(from, by)));
        }
        return "nothing holds an instance of " + className;
    }

    private void reach(long id, Step step) {
        if (id != 0 && reached.putIfAbsent(id, step) == null) {
            next.add(id);
        }
    }

    private String path(long end) {
        List<String> lines = new ArrayList<>();
        long at = end;
        for (@Nullable Step step = reached.get(at); step != null; step = reached.get(at)) {
            lines.add(0, step.by + " -> " + dump.describe(at));
            at = step.from;
        }
        return String.join("\n", lines);
    }
}
