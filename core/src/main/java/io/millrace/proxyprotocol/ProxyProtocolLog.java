package io.millrace.proxyprotocol;

import java.net.SocketAddress;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the PROXY protocol layer; ids 780 to 799. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ProxyProtocolLog {

    ProxyProtocolLog LOG = new ProxyProtocolLog_$logger(Logger.getLogger("io.millrace.proxyprotocol"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 780,
            value = "Closed a connection from %s: proxyProtocol is required, and the address is not in"
                    + " proxyProtocolTrusted (%s)")
    void untrusted(SocketAddress peer, String trusted);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 781,
            value = "Closed a connection from %s: proxyProtocol is required, but the connection did not start"
                    + " with a PROXY protocol header; configure the front end to send one, or set"
                    + " proxyProtocol=\"optional\"")
    void missing(SocketAddress peer);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 782, value = "Closed a connection from %s: malformed PROXY protocol header: %s")
    void bad(SocketAddress peer, String defect);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 783,
            value = "Closed a connection from %s: the PROXY protocol header was not complete after %s ms"
                    + " (proxyProtocolTimeout)")
    void late(SocketAddress peer, String millis);
}
