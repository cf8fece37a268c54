package io.millrace.standalone.shootout;

import io.millrace.standalone.shootout.ShootoutResult.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Takes one measurement: what the clients of a server see, and what server, clients and all other programs cost meanwhile. */
final class Meter {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** After the last client has connected. */
    private static final Duration SETTLING = Duration.ofMillis(150);

    private Meter() {}

    /** Processor time so far, in nanoseconds. */
    private record Moment(long at, double busy, Processor.Times clients, Processor.Times server) {

        static Moment now(Collection<Long> server) {
            return new Moment(
                    System.nanoTime(),
                    Processor.busyNanos(),
                    Processor.times(List.of(ProcessHandle.current().pid())),
                    Processor.times(server));
        }

        /** Of all processors since then. */
        double capacity(Moment before) {
            return (double) (at - before.at) * Processor.count();
        }
    }

    /**
     * Measures.
     *
     * @param processes the server's, without those that they started; empty if they are unknown
     * @param during runs on this thread while the clients send, in turns of some milliseconds
     * @throws IOException if some clients have no answers
     */
    static Sample measure(
            LoadGenerator.Target target, Collection<Long> processes, int clients, Duration length, Runnable during)
            throws IOException, InterruptedException {
        LoadGenerator.Seen seen;
        Moment before;
        Moment after;
        double compilers;
        try (LoadGenerator load = LoadGenerator.start(target, clients)) {
            load.awaitAnswers(LONGEST_WAIT);
            Thread.sleep(SETTLING.toMillis());
            Set<Long> tree = Processor.trees(processes); // with the workers that these clients have needed
            Processor.Times compiled = Processor.compilers(tree);
            before = Moment.now(tree);
            load.begin();
            for (long end = before.at + length.toNanos(); System.nanoTime() < end; ) {
                during.run();
                long left = (end - System.nanoTime()) / 1_000_000;
                Thread.sleep(Math.max(1, Math.min(50, left)));
            }
            load.end();
            after = Moment.now(tree);
            compilers = Processor.compilers(tree).since(compiled);
            seen = load.stop();
        }
        double seconds = (after.at - before.at) / 1e9;
        double server = after.server.since(before.server);
        double own = after.clients.since(before.clients);
        double others = after.busy - before.busy - own - (Double.isNaN(server) ? 0 : server);
        return new Sample(
                seen.responses() / seconds,
                seen.bytes() / seconds,
                server / 1000 / seen.responses(),
                seen.latencies().percentile(0.5),
                seen.latencies().percentile(0.99),
                own / after.capacity(before),
                Math.max(0, others / after.capacity(before)),
                compilers / (after.at - before.at),
                seen.failures());
    }

    /**
     * Asks once.
     *
     * @throws IOException if there is no answer, or one with another status than 200; says which
     */
    static void check(LoadGenerator.Target target) throws IOException, InterruptedException {
        LoadGenerator.Seen seen;
        try (LoadGenerator load = LoadGenerator.start(target, 1)) {
            load.awaitAnswers(LONGEST_WAIT);
            seen = load.stop();
        }
        if (seen.failure() != null) {
            throw new IOException(seen.failure());
        }
    }

    /** The part of all processors that programs take now, 0 to 1; NaN if it is unknown. */
    static double idle(Duration length) throws InterruptedException {
        Moment before = Moment.now(Set.of());
        Thread.sleep(length.toMillis());
        Moment after = Moment.now(Set.of());
        return Math.max(0, (after.busy - before.busy - after.clients.since(before.clients)) / after.capacity(before));
    }
}
