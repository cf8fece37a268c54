package io.millrace.exchange;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about exchanges; ids 300 to 303, and 306. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ExchangeLog {

    ExchangeLog LOG = new ExchangeLog_$logger(Logger.getLogger("io.millrace.exchange"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 300, value = "%s %s failed (reference %s)")
    void failed(String method, String path, String reference, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 301,
            value = "%s %s: the handler threw an exception after it had handed the request to another thread")
    void thrownAfterResume(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 302, value = "%s %s: the error response could not be generated")
    void errorResponseFailed(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 303, value = "%s %s: a completion listener threw an exception")
    void listenerFailed(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 306,
            value = "Requests from %s wait: others from there occupy %d worker threads, as maxThreadsPerAddress allows."
                    + " Further messages of this kind are suppressed for a minute.")
    void addressWaits(String address, int most);
}
