package io.millrace.workers;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the worker pool; ids 304 to 319. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface WorkersLog {

    WorkersLog LOG = new WorkersLog_$logger(Logger.getLogger("io.millrace.workers"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 304, value = "%s: cannot start a worker thread: %s; continuing with %s")
    void workerNotStarted(String pool, String cause, String threads);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 305, value = "%s: the worker pool's supervisor task failed; continuing")
    void supervisorFailed(String pool, @Cause Throwable thrown);
}
