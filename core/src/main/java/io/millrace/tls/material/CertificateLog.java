package io.millrace.tls.material;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about certificates; ids 760 to 779. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface CertificateLog {

    CertificateLog LOG = new CertificateLog_$logger(Logger.getLogger("io.millrace.tls"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 760, value = "TLS host %s: new certificates loaded: %s")
    void reloaded(String host, String certificates);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 761,
            value = "TLS host %s: the changed certificate files cannot be used, the previous certificates stay in"
                    + " use: %s")
    void notReloaded(String host, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 762, value = "TLS host %s: %s")
    void warning(String host, String finding);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 763, value = "%s")
    void inUse(String host);
}
