package io.millrace.proxyprotocol;

import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs the first refusal of each kind and then one a minute: whoever finds the port must not fill the disk. Any thread.
 */
final class RefusalLog {

    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Map<Refusal, AtomicLong> next = new EnumMap<>(Refusal.class);
    private final long start = System.nanoTime();

    RefusalLog() {
        for (Refusal kind : Refusal.values()) {
            next.put(kind, new AtomicLong());
        }
    }

    /** Writes a line if one of its kind is due. */
    void refused(Refusal kind, SocketAddress peer, String what) {
        if (!isDue(kind)) {
            return;
        }
        switch (kind) {
            case UNTRUSTED -> ProxyProtocolLog.LOG.untrusted(peer, what);
            case MISSING -> ProxyProtocolLog.LOG.missing(peer);
            case BAD -> ProxyProtocolLog.LOG.bad(peer, what);
            case LATE -> ProxyProtocolLog.LOG.late(peer, what);
        }
    }

    private boolean isDue(Refusal kind) {
        AtomicLong mine = next.get(kind);
        long now = System.nanoTime() - start;
        long due = mine == null ? Long.MAX_VALUE : mine.get();
        return mine != null && now >= due && mine.compareAndSet(due, now + PAUSE);
    }
}
