package io.millrace.io.socket;

import io.millrace.io.ShortageLogging;

/** Says what failed on a thread that others depend on. Saying it may fail too, and must not end the thread either. */
public final class TaskFailures {

    private TaskFailures() {}

    /** One connection or task ended by this; the thread goes on. Any thread. */
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
