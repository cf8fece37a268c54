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
import io.millrace.log.CoreLog;
import io.millrace.proxyprotocol.ProxyHeaderEncoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Checks a backend's health periodically: GET of a path, on a connection of its own, so that checks and requests do not wait for each
 * other. A status of 2xx or 3xx before the next check begins is healthy.
 */
final class HealthCheck {

    private final Backend backend;
    private final SessionPool pool;
    private final String path;
    private final Duration interval;
    private final Timers timers;
    private volatile boolean stopped;
    private volatile @Nullable Check last;

    /** @param pool a pool of one connection, used by this check only */
    HealthCheck(Backend backend, SessionPool pool, String path, Duration interval, Timers timers) {
        this.backend = backend;
        this.pool = pool;
        this.path = path;
        this.interval = interval;
        this.timers = timers;
    }

    /** Begins a check, and schedules the next one after the interval. */
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
        Check running = last;
        if (running != null) {
            running.end(found);
        }
    }

    /** One check. Ends once: by a response, a failure, or the timeout. */
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
                end("the connection was closed before the request was sent");
                given.close(null);
            }
        }

        @Override
        public ByteBuffer preface() {
            return ProxyHeaderEncoder.local();
        }

        @Override
        public void onHeadSent(ClientStream stream) {
            // the request has no body
        }

        @Override
        public void onInform(int status, Headers fields) {
            // only the final response counts
        }

        @Override
        public void onHead(ClientStream stream, ResponseHead head) {
            int status = head.status();
            end(status >= 200 && status < 400 ? null : "status " + status);
        }

        @Override
        public void onFailed(ClientException failure) {
            if (failure.reason() == Reason.INTERNAL) {
                CoreLog.PROXY.healthCheckFailed(backend.toString(), failure); // not a failure of the backend
                over.set(true);
            }
            end(Backend.found(failure), failure.reason() == Reason.DIAL);
        }

        private void end(@Nullable String found) {
            end(found, false);
        }

        private void end(@Nullable String found, boolean unreachable) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            ClientSession open = session;
            if (open != null) {
                open.close(null); // each check opens a new connection, to test that, too
            }
            if (stopped) {
                return;
            }
            if (unreachable) {
                backend.notReached(String.valueOf(found));
            } else {
                backend.checked(found);
            }
        }
    }
}
