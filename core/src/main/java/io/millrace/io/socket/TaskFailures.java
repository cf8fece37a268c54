package io.millrace.io.socket;

import io.millrace.io.ShortageLogging;

/** Logs failures on threads that others depend on. Logging may fail too, which must not end the thread either. */
public final class TaskFailures {

    private TaskFailures() {}

    /** Logs a failure that ended one connection or task, while the thread continues. Safe to call from any thread. */
    public static void log(String thread, Throwable failed) {
        try {
            if (ShortageLogging.isDue(failed)) {
                SocketLog.LOG.taskFailed(thread, failed);
            }
        } catch (Throwable alsoOutOfMemory) {
            // logging may open a file or load a class
        }
    }
}
