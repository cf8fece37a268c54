package io.millrace.proxy;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the proxy; ids 5400 to 5409. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ProxyLog {

    ProxyLog LOG = new ProxyLog_$logger(Logger.getLogger("io.millrace.proxy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5400, value = "A request to the backend %s failed: %s")
    void backendFailed(String backend, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5401, value = "The backend %s failed %d times in a row; it gets no requests for %d s")
    void backendEjected(String backend, int failures, long seconds);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5402, value = "A response of the backend %s could not be forwarded and was cut off")
    void relayFailed(String backend, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5403, value = "The backend %s failed %s in a row and gets no requests: %s")
    void backendDown(String backend, String checks, String found);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 5404, value = "The backend %s gets requests again")
    void backendBack(String backend);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 5405, value = "The backend %s is draining: it receives only requests that belong to its sessions")
    void backendDraining(String backend);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5406, value = "The health of the backend %s could not be checked")
    void checkFailed(String backend, @Cause Throwable thrown);
}
