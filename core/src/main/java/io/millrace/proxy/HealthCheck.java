package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionPool;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.io.Timers;
import io.millrace.proxyprotocol.ProxyHeaderEncoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Asks a backend for its health, again and again: GET of a path, on a connection of its own, so that it neither waits for requests nor
 * makes them wait. A status of 2xx or 3xx before the next check begins is healthy. No threads of its own.
 */
final class HealthCheck {

    private final Backend backend;
    private final SessionPool pool;
    private final String path;
    private final Duration interval;
    private final Timers timers;
    private volatile boolean stopped;
    private volatile @Nullable Check last;

    /** @param pool for this alone, of one connection */
    HealthCheck(Backend backend, SessionPool pool, String path, Duration interval, Timers timers) {
        this.backend = backend;
        this.pool = pool;
        this.path = path;
        this.interval = interval;
        this.timers = timers;
    }

    /** The first check begins at once, and another each interval. */
    void start() {
        if (stopped) {
            return;
        }
        timers.schedule(this::start, interval);
        endLast("no response within " + interval.toMillis() + " ms");
        Check next = new Check();
        last = next;
        pool.acquire(next);
    }

    void stop() {
        stopped = true;
        endLast("stopped");
        pool.close();
    }

    private void endLast(String found) {
        Check mine = last;
        if (mine != null) {
            mine.end(found);
        }
    }

    /** One request. Ends once: by a response, a failure, or in time. */
    private final class Check implements SessionPool.Waiter, ResponseListener {

        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable ClientSession session;

        @Override
        public void onSession(ClientSession given) {
            session = given;
            Headers fields =
                    new Headers().add("Host", backend.address().authority()).add("User-Agent", "Millrace-Health-Check");
            boolean begun =
                    !over.get() && given.start(new ClientRequest(Method.GET, path, fields, 0, null), this) != null;
            if (!begun) {
                end("the connection was closed at once");
                given.close(null);
            }
        }

        @Override
        public ByteBuffer preface() {
            return ProxyHeaderEncoder.local();
        }

        @Override
        public void onHeadSent(ClientStream stream) {
            // there is no body
        }

        @Override
        public void onInform(int status, Headers fields) {
            // the final one counts
        }

        @Override
        public void onHead(ClientStream stream, ResponseHead head) {
            int status = head.status();
            end(status >= 200 && status < 400 ? null : "status " + status);
        }

        @Override
        public void onFailed(ClientException failure) {
            if (failure.reason() == Reason.INTERNAL) {
                ProxyLog.LOG.checkFailed(backend.toString(), failure); // says nothing of the backend
                over.set(true);
            }
            end(String.valueOf(failure.getMessage()));
        }

        private void end(@Nullable String found) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            ClientSession mine = session;
            if (mine != null) {
                mine.close(null); // each check connects anew: whether that is possible is what it asks
            }
            if (!stopped) {
                backend.checked(found);
            }
        }
    }
}
