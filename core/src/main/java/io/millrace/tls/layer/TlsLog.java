package io.millrace.tls.layer;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the TLS layer; ids 740 to 759. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface TlsLog extends BasicLogger {

    TlsLog LOG = new TlsLog_$logger(Logger.getLogger("io.millrace.tls"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 740, value = "Closed a TLS connection because of an internal error.")
    void handlerFailed(@Cause Throwable thrown);
}
