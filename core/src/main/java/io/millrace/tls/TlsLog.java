package io.millrace.tls;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What TLS tells the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface TlsLog extends BasicLogger {

    TlsLog LOG = new TlsLog_$logger(Logger.getLogger("io.millrace.tls"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 740, value = "A TLS connection was closed because of an error in the server.")
    void handlerFailed(@Cause Throwable thrown);
}
