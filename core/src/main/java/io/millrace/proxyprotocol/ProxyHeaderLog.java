package io.millrace.proxyprotocol;

import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
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
            case UNTRUSTED -> CoreLog.PROXY_PROTOCOL.proxyHeaderUntrusted(peer, what);
            case MISSING -> CoreLog.PROXY_PROTOCOL.proxyHeaderMissing(peer);
            case BAD -> CoreLog.PROXY_PROTOCOL.proxyHeaderMalformed(peer, what);
            case LATE -> CoreLog.PROXY_PROTOCOL.proxyHeaderLate(peer, what);
        }
    }
}
