package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many threads serve requests, and how many stay when there are none: those of each Connector, and of an Executor, … */
@NullUnmarked
final class ThreadsIT {

    private static final String CONNECTORS = """
            <Connector port='0' address='127.0.0.1' protocol='TRANSPORT' maxThreads='4' minSpareThreads='2'
                threadsMaxIdleTime='200'/>
            <Connector port='0' address='127.0.0.1' protocol='TRANSPORT' executor='shared'/>
            """;

    private static final String EXECUTOR =
            "<Executor name='shared' namePrefix='shared-' maxThreads='5' minSpareThreads='3' maxIdleTime='200'/>";

    private static final int REQUESTS = 6;

    /** Those with workers: connections of bio have threads of their own, and it keeps none without one. */
    private static final List<String> TRANSPORTS =
            Transports.installed().stream().filter(each -> !each.equals("bio")).toList();

    @TempDir
    private static Path base;

    private static ProbeServer server;

    /** Those of this JVM that are not the server's. */
    private static Set<Thread> others;

    @BeforeAll
    static void start() throws Exception {
        StringBuilder connectors = new StringBuilder(EXECUTOR);
        TRANSPORTS.forEach(transport -> connectors.append(CONNECTORS.replace("TRANSPORT", transport)));
        if (Transports.installed().contains("bio")) {
            connectors.append("<Connector port='0' address='127.0.0.1' protocol='bio' executor='shared'/>");
        }
        others = Thread.getAllStackTraces().keySet();
        server = ProbeServer.serving(base, connectors.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> transports() {
        return TRANSPORTS;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void growToTheMostAndShrinkToTheSpareOnes(String transport) throws Exception {
        String name = transport + "-0-worker-";
        hold(name, 4, List.of(2 * TRANSPORTS.indexOf(transport)));
        awaitThreads(name, 2);
    }

    @Test
    void areSharedByAllThatNameTheirExecutor() throws Exception {
        hold(
                "shared-",
                5,
                TRANSPORTS.stream()
                        .map(each -> 2 * TRANSPORTS.indexOf(each) + 1)
                        .toList());
        awaitThreads("shared-", 3);
    }

    /** Each connection of bio that is served has one. */
    @Test
    void areAsManyAsTheExecutorSaysOnBioButItsOwn() throws Exception {
        assumeTrue(Transports.installed().contains("bio"));
        server.product().awaitLine("over bio, no TLS; 8192 connections, 5 threads as in shared");
        hold("bio-0-\\d", 5, List.of(2 * TRANSPORTS.size()));
    }

    /** Has so many threads of that name at work for more requests than they can serve at once. */
    private static void hold(String name, int threads, List<Integer> connectors) throws Exception {
        Path release = base.resolve("release-" + connectors.get(0));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int connector : connectors) {
            for (int i = 0; i < REQUESTS; i++) {
                answers.add(Command.outputOf(Curl.start(server.url(connector, "/hold?until=" + release))));
            }
        }
        awaitThreads(name, threads);
        Files.createFile(release);
        for (CompletableFuture<String> each : answers) {
            assertEquals("held", Deadline.await(each).strip());
        }
    }

    /** Waits until there are so many, and sees that it stays so. */
    private static void awaitThreads(String name, int count) {
        Deadline.await(count + " threads " + name, () -> threads(name) == count);
        Deadline.pass(Duration.ofMillis(400));
        assertEquals(count, threads(name));
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !others.contains(thread) && thread.getName().matches(name + ".*"))
                .count();
    }
}
