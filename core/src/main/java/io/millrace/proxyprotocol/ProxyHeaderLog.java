package io.millrace.proxyprotocol;

import io.millrace.io.LogThrottle;
import java.net.SocketAddress;

/**
 * Logs the first refusal of each kind, and then one a minute, so that clients cannot fill the disk. Thread-safe.
 */
final class ProxyHeaderLog {

    private final LogThrottle<ProxyHeaderRefusal> throttle = new LogThrottle<>(ProxyHeaderRefusal.class);

    /** Logs a refusal unless one of its kind was logged within the last minute. */
    void refused(ProxyHeaderRefusal kind, SocketAddress peer, String what) {
        if (!throttle.isDue(kind)) {
            return;
        }
        switch (kind) {
            case UNTRUSTED -> ProxyProtocolLog.LOG.untrusted(peer, what);
            case MISSING -> ProxyProtocolLog.LOG.missing(peer);
            case BAD -> ProxyProtocolLog.LOG.bad(peer, what);
            case LATE -> ProxyProtocolLog.LOG.late(peer, what);
        }
    }
}
