package io.millrace.standalone.admin;

import io.millrace.ConnectorState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is looked at once a second: whether all threads of a connector are busy, and how many requests have ended. Thread-safe. */
public final class Samples {

    /** How often {@link #take} is to be called. */
    public static final Duration PERIOD = Duration.ofSeconds(1);

    /** For how long all threads may be busy before the server is not ready. */
    private static final Duration BUSY_LIMIT = Duration.ofSeconds(10);

    private static final int KEPT = 11;

    private record Ended(long nanoTime, long requests) {}

    private final AdminRoot root;

    // guarded by this
    private final Map<String, Long> busySince = new HashMap<>();
    private final List<Ended> ended = new ArrayList<>();

    /** @param root what is looked at */
    public Samples(AdminRoot root) {
        this.root = root;
    }

    /** Takes a sample; does not block. */
    public synchronized void take() {
        long now = System.nanoTime();
        long requests = 0;
        for (ServerAdministration server : root.servers()) {
            for (ConnectorState each : server.connectors()) {
                requests += each.requests().durations().count(); // which no operator sets back, unlike totals()
                String name = each.name();
                if (server.threads(each.connector()).areAllBusy()) {
                    busySince.putIfAbsent(name, now);
                } else {
                    busySince.remove(name);
                }
            }
        }
        ended.add(new Ended(now, requests));
        if (ended.size() > KEPT) {
            ended.remove(0);
        }
    }

    /** The mean of the last ten seconds. */
    synchronized double requestsPerSecond() {
        if (ended.size() < 2) {
            return 0;
        }
        Ended first = ended.get(0);
        Ended last = ended.get(ended.size() - 1);
        return (last.requests - first.requests) * 1e9 / Math.max(1, last.nanoTime - first.nanoTime);
    }

    /** The connectors whose threads have all been busy for too long, with a sentence for each. */
    synchronized List<String> exhausted() {
        long now = System.nanoTime();
        List<String> found = new ArrayList<>();
        busySince.forEach((name, since) -> {
            Duration busy = Duration.ofNanos(now - since);
            if (busy.compareTo(BUSY_LIMIT) >= 0) {
                found.add("all threads of " + name + " have been busy for " + Table.shown(busy));
            }
        });
        return found;
    }
}
