package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What processes take of this machine … */
class ProcessorTest {

    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void countsWhatAServerHasStarted() throws Exception {
        Process server = new ProcessBuilder("sh", "-c", "sh -c 'echo; read end'; :").start();
        Process other = new ProcessBuilder("cat").start();
        try {
            assertEquals('\n', server.getInputStream().read());
            Set<Long> tree = Processor.trees(List.of(server.pid()));
            assertTrue(tree.contains(server.pid()));
            assertEquals(2, tree.size(), tree.toString());
            assertFalse(tree.contains(other.pid()));
        } finally {
            for (Process each : List.of(server, other)) {
                each.getOutputStream().close(); // ends what it has started, too
                assertTrue(each.waitFor(10, TimeUnit.SECONDS));
            }
        }
    }

    /** Such as systemd, which listens on behalf of a server: this JVM and everything else descends from it. */
    @Test
    void countsNothingThatAnAncestorHasStarted() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        assertEquals(Set.of(parent), Processor.trees(List.of(parent)));
    }

    @Test
    void countsTheTimeOfCompilersApart() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/task")));
        Processor.Times compilers = Processor.compilers(List.of(SELF));
        Processor.Times all = Processor.times(List.of(SELF));
        double compiled = compilers.since(new Processor.Times(Map.of()));
        assertTrue(compiled > 0, compilers.toString());
        assertTrue(compiled < all.since(new Processor.Times(Map.of())), compiled + " of " + all);
        assertEquals(0, compilers.since(compilers));
    }

    @Test
    void countsAThreadThatIsNewFromItsStart() {
        Processor.Times before = new Processor.Times(Map.of(1L, 10.0, 2L, 20.0));
        Processor.Times after = new Processor.Times(Map.of(1L, 15.0, 3L, 4.0));
        assertEquals(9, after.since(before));
        assertTrue(Double.isNaN(new Processor.Times(Map.of()).since(before)));
    }
}
