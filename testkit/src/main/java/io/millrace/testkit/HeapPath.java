package io.millrace.testkit;

import io.millrace.heap.HeapDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Why an object is not garbage, for the message of a test that waited in vain for garbage collection. */
public final class HeapPath {

    private HeapPath() {}

    /**
     * The shortest path to an instance of a class, from a heap dump of this JVM: one reference per line, beginning with the root; or that
     * there is none. Takes seconds.
     *
     * @param className binary name
     */
    public static String to(String className) throws IOException {
        Path directory = Files.createTempDirectory("heap");
        Path file = directory.resolve("now.hprof");
        try {
            HeapDump.write(file);
            try (HeapDump dump = HeapDump.open(file)) {
                List<String> path = dump.pathTo(dump.instancesOf(className));
                return path.isEmpty() ? "nothing holds an instance of " + className : String.join("\n", path);
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }
}
