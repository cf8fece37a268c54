package io.millrace.workers;

import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.text.Plural;

/** Logs the failures of a {@link WorkerPool} itself, of each kind at most once a minute. Throws nothing. Thread-safe. */
final class WorkerFailures {

    private enum Kind {
        START,
        SUPERVISOR
    }

    private final String pool;
    private final LogThrottle<Kind> throttle = new LogThrottle<>(Kind.class);

    WorkerFailures(String pool) {
        this.pool = pool;
    }

    /** Logs that a worker thread could not be started. */
    void notStarted(Throwable failure, int alive) {
        try {
            if (throttle.isDue(Kind.START)) {
                CoreLog.WORKERS.workerNotStarted(pool, failure.toString(), Plural.of(alive, "thread"));
            }
        } catch (Throwable again) {
            // most likely out of memory
        }
    }

    void supervisorFailed(Throwable failure) {
        try {
            if (throttle.isDue(Kind.SUPERVISOR)) {
                CoreLog.WORKERS.supervisorFailed(pool, failure);
            }
        } catch (Throwable again) {
            // most likely out of memory
        }
    }
}
