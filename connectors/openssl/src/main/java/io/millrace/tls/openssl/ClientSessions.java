package io.millrace.tls.openssl;

import io.millrace.tls.openssl.binding.ClientSession;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a context may resume, by server. Each session is given out once: a ticket that is used twice ties two
 * connections together for whoever listens (RFC 8446, C.4). Any thread.
 */
final class ClientSessions {

    /** The JDK's for clients. */
    private static final long MOST_AGE = Duration.ofDays(1).toNanos();

    private static final int MOST_SERVERS = 1024;

    /** Servers give two tickets at a time, as a rule, and a pool opens a few connections together. */
    private static final int MOST_OF_ONE = 8;

    private record Kept(ClientSession session, long since) {}

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** The server that was used last is the last. */
    private final Map<String, Deque<Kept>> servers = new LinkedHashMap<>(16, 0.75f, true);

    ClientSessions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The oldest ones make room. */
    void keep(String server, ClientSession session) {
        lock.lock();
        try {
            Deque<Kept> all = servers.computeIfAbsent(server, unknown -> new ArrayDeque<>());
            all.addFirst(new Kept(session, nanos.getAsLong()));
            if (all.size() > MOST_OF_ONE) {
                all.removeLast();
            }
            if (servers.size() > MOST_SERVERS) {
                servers.remove(servers.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The latest; null if there is none that is fresh enough. */
    @Nullable
    ClientSession take(String server) {
        lock.lock();
        try {
            Deque<Kept> all = servers.get(server);
            Kept latest = all == null ? null : all.pollFirst();
            if (latest == null) {
                return null;
            }
            if (nanos.getAsLong() - latest.since() > MOST_AGE) {
                servers.remove(server); // the rest is older
                return null;
            }
            return latest.session();
        } finally {
            lock.unlock();
        }
    }
}
