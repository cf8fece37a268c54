package io.millrace.protocol.mux;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of multiplexed protocols; ids 205 to 209, 5220 and 5221. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface MuxLog extends BasicLogger {

    MuxLog LOG = new MuxLog_$logger(Logger.getLogger("io.millrace.protocol"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 205,
            value = "Closing a connection from %s with %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void connectionFault(Object peer, Fault fault, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 206,
            value = "Replaced a response with status 500: its header fields need %d bytes, and"
                    + " maxHttpResponseHeaderSize is %d. Further messages of this kind are suppressed for a minute.")
    void responseHeadTooLarge(int size, int limit);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 207,
            value = "Stopped reading the body of a request from %s on a stream and answered with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void bodyGivenUp(Object peer, int status, String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 208,
            value = "Reset a stream to %s: the client took the response more slowly than minDownloadRate, %d bytes a"
                    + " second; if it should have more time, change minDownloadRate or minDownloadRateGrace."
                    + " Further messages of this kind are suppressed for a minute.")
    void readerTooSlow(Object peer, int rate);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 209,
            value = "Holding back requests of a connection from %s: it has reset many others, or caused their reset."
                    + " Further messages of this kind are suppressed for a minute.")
    void requestHeldBack(Object peer);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5220,
            value = "Reset a stream (%s) of %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void malformed(String protocol, Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5221,
            value = "Rejected a request on a stream (%s) from %s with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void refused(String protocol, Object peer, int status, String found);
}
