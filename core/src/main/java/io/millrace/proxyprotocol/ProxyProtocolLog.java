package io.millrace.proxyprotocol;

import java.net.SocketAddress;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may act on. The user guide lists these. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ProxyProtocolLog {

    ProxyProtocolLog LOG = new ProxyProtocolLog_$logger(Logger.getLogger("io.millrace.proxyprotocol"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 780,
            value = "Closed a connection from %s: proxyProtocol is required, and that address is not among"
                    + " proxyProtocolTrusted (%s)")
    void untrusted(SocketAddress peer, String trusted);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 781,
            value = "Closed a connection from %s: proxyProtocol is required, and it began with no such header; let the"
                    + " front end send one, or set proxyProtocol to optional")
    void missing(SocketAddress peer);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 782, value = "Closed a connection from %s: its PROXY protocol header is malformed: %s")
    void bad(SocketAddress peer, String defect);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 783,
            value = "Closed a connection from %s: its PROXY protocol header was not complete after %s ms"
                    + " (proxyProtocolTimeout)")
    void late(SocketAddress peer, String millis);
}
