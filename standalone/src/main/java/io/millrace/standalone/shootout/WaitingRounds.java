package io.millrace.standalone.shootout;

import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares synchronous and asynchronous servlets: many clients that wait for a slow back end, and some that have something computed. Each
 * servlet has a fresh server, whose threads and memory are its own.
 */
final class WaitingRounds {

    /** What the back end takes. */
    static final int BACK_END_MILLIS = 200;

    /** Of the clients that have something computed. */
    static final int COMPUTING_CLIENTS = 50;

    /** Some tens of microseconds. */
    private static final int FIBONACCI = 20;

    private final Site site;
    private final Duration length;
    private final int clients;

    /** Of one server after the other; 0 lets the system choose. */
    private final int port;

    WaitingRounds(Site site, Duration length, int clients, int port) {
        this.site = site;
        this.length = length;
        this.clients = clients;
        this.port = port;
    }

    /**
     * Both kinds on each of these transports; the result is in their order.
     *
     * @param leaveOut receives a sentence about a transport that does not answer all clients
     */
    List<Waiting> measure(List<String> transports, Consumer<String> leaveOut) throws IOException, InterruptedException {
        List<Waiting> all = new ArrayList<>();
        for (String transport : transports) {
            try {
                all.addAll(List.of(measure(transport, false), measure(transport, true)));
            } catch (IOException e) {
                if (site.isClosed()) {
                    throw e;
                }
                leaveOut.accept("Waiting requests on " + transport + " are left out: " + clients + " clients, "
                        + e.getMessage());
            }
        }
        return all;
    }

    private Waiting measure(String transport, boolean isAsync) throws IOException, InterruptedException {
        ServerProcess server = site.start(Contestant.of(transport, Tls.PLAIN), port);
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.awaitPort());
            String prefix = isAsync ? "/a" : "/";
            List<Long> process = List.of(server.pid());
            LoadGenerator.Target hello = new LoadGenerator.Target(address, "/hello", null);
            Meter.measure(hello, process, 4, length, () -> {}); // so that memory of the first requests does not count
            long memory = Processor.memory(server.pid());
            int[] threads = {-1};
            LoadGenerator.Target sleep =
                    new LoadGenerator.Target(address, prefix + "sleep?ms=" + BACK_END_MILLIS, null);
            Sample waited = Meter.measure(
                    sleep,
                    process,
                    clients,
                    length.plusMillis(BACK_END_MILLIS),
                    () -> threads[0] = Math.max(threads[0], Processor.threads(server.pid())));
            long after = Processor.memory(server.pid());
            LoadGenerator.Target compute = new LoadGenerator.Target(address, prefix + "fib?n=" + FIBONACCI, null);
            Meter.measure(compute, process, COMPUTING_CLIENTS, length, () -> {});
            Sample computed = Meter.measure(compute, process, COMPUTING_CLIENTS, length, () -> {});
            return new Waiting(
                    transport,
                    isAsync,
                    clients,
                    waited.rate(),
                    waited.p99(),
                    threads[0],
                    memory < 0 || after < 0 ? -1 : Math.max(0, after - memory),
                    waited.cpu(),
                    computed.rate());
        } finally {
            site.stop(server);
        }
    }
}
