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
 * The cache of TLS sessions of a client context, by server. Each session is used once: an observer can correlate two
 * connections that use the same ticket (RFC 8446, C.4). Thread-safe.
 */
final class ClientSessions {

    /** The JDK's default for clients. */
    private static final long MAX_AGE = Duration.ofDays(1).toNanos();

    private static final int MAX_SERVERS = 1024;

    /** Servers usually send two tickets at a time, and a pool opens a few connections together. */
    private static final int MAX_PER_SERVER = 8;

    private record Kept(ClientSession session, long since) {}

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** In access order: the least recently used server first. */
    private final Map<String, Deque<Kept>> servers = new LinkedHashMap<>(16, 0.75f, true);

    ClientSessions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Adds a session, evicting the server's oldest one or the least recently used server. */
    void keep(String server, ClientSession session) {
        lock.lock();
        try {
            Deque<Kept> all = servers.computeIfAbsent(server, unknown -> new ArrayDeque<>());
            all.addFirst(new Kept(session, nanos.getAsLong()));
            if (all.size() > MAX_PER_SERVER) {
                all.removeLast();
            }
            if (servers.size() > MAX_SERVERS) {
                servers.remove(servers.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns the server's latest session; null if there is none, or it has expired. */
    @Nullable
    ClientSession take(String server) {
        lock.lock();
        try {
            Deque<Kept> all = servers.get(server);
            Kept latest = all == null ? null : all.pollFirst();
            if (latest == null) {
                return null;
            }
            if (nanos.getAsLong() - latest.since() > MAX_AGE) {
                servers.remove(server); // the others are older
                return null;
            }
            return latest.session();
        } finally {
            lock.unlock();
        }
    }
}
