package io.millrace.handler;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the handlers; ids 100 to 119. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface HandlerMessages {

    HandlerMessages LOG = new HandlerMessages_$logger(Logger.getLogger("io.millrace.handler"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 101, value = "Cannot write the access log; entries are lost until writing succeeds again")
    void accessLogBroken(@Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 102,
            value =
                    "Dropped %s of the access log because the queue was full: the disk is too slow, or the queue too short"
                            + " (AccessLogBuilder.queueSize, blockWhenFull)")
    void accessLogDropped(String lines);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 104,
            value =
                    "Thread \"%s\" has been busy with %s for %.3f s and may be stuck (threshold: %.3f s); %s may be stuck")
    void threadStuck(
            String thread, String request, double seconds, double threshold, String threads, @Cause Throwable where);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 105, value = "Thread \"%s\" was not stuck: it was busy with %s for %.3f s; %s may be stuck")
    void threadNoLongerStuck(String thread, String request, double seconds, String threads);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 106, value = "Interrupted thread \"%s\", which has been busy with %s for %.3f s")
    void threadInterrupted(String thread, String request, double seconds);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 107, value = "The access log is written again; %s were lost")
    void accessLogWrittenAgain(String lines);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 108,
            value = "The limit of %s for each client is exceeded; requests are refused with 429 (now from %s)")
    void rateLimited(String limit, String client);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 109, value = "A request took longer than %s and was aborted (%s)")
    void timedOut(String limit, String request);
}
