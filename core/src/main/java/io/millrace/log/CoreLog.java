package io.millrace.log;

import java.net.SocketAddress;
import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/**
 * The messages of the core that an operator may act on, by their ids; docs/guide/log-messages.md lists them. Each part of the core logs
 * with the constant of its category. Those that transports share are in {@code io.socket.SocketLog}.
 */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface CoreLog extends BasicLogger {

    /** Of the server: its start and stop, its ports and applications. */
    CoreLog SERVER = new CoreLog_$logger(Logger.getLogger("io.millrace"));

    /** Of HTTP/1.1. */
    CoreLog HTTP1 = new CoreLog_$logger(Logger.getLogger("io.millrace.http1"));

    /** Of what protocols share. */
    CoreLog PROTOCOL = new CoreLog_$logger(Logger.getLogger("io.millrace.protocol"));

    /** Of exchanges. */
    CoreLog EXCHANGE = new CoreLog_$logger(Logger.getLogger("io.millrace.exchange"));

    /** Of handlers. */
    CoreLog HANDLER = new CoreLog_$logger(Logger.getLogger("io.millrace.handler"));

    /** Of rules in the language of Undertow. */
    CoreLog RULES = new CoreLog_$logger(Logger.getLogger("io.millrace.rules"));

    /** Of rules in the language of mod_rewrite. */
    CoreLog REWRITE = new CoreLog_$logger(Logger.getLogger("io.millrace.rewrite"));

    /** Of WebSockets. */
    CoreLog WEBSOCKET = new CoreLog_$logger(Logger.getLogger("io.millrace.websocket"));

    /** Of connections to other servers. */
    CoreLog CLIENT = new CoreLog_$logger(Logger.getLogger("io.millrace.client"));

    /** Of the reverse proxy. */
    CoreLog PROXY = new CoreLog_$logger(Logger.getLogger("io.millrace.proxy"));

    /** Of the PROXY protocol. */
    CoreLog PROXY_PROTOCOL = new CoreLog_$logger(Logger.getLogger("io.millrace.proxyprotocol"));

    /** Of TLS. */
    CoreLog TLS = new CoreLog_$logger(Logger.getLogger("io.millrace.tls"));

    /** Of the worker pool. */
    CoreLog WORKERS = new CoreLog_$logger(Logger.getLogger("io.millrace.workers"));

    /** Of buffers and timers. */
    CoreLog IO = new CoreLog_$logger(Logger.getLogger("io.millrace.io"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 1, value = "Listening on %s (%s)")
    void listening(String url, String transport);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 2, value = "Started in %d ms")
    void started(long millis);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 3, value = "Stopping; waiting up to %d ms for running requests")
    void stopping(long millis);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4, value = "The application at \"%s\" failed to start; its requests are answered with 503")
    void applicationFailed(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5, value = "The application at \"%s\" failed to stop cleanly")
    void applicationFailedToStop(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 6, value = "Connections on %s did not close within the grace period; no longer waiting for them")
    void notStopped(String address, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 7, value = "%s. Continuing with the other connectors")
    void connectorLeftOut(String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 8, value = "Cannot delete the socket file of %s: %s")
    void socketFileNotRemoved(String address, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 9, value = "The server did not stop within %d ms of the JVM's shutdown; the JVM ends without it")
    void stillStopping(long millis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 10, value = "The MBean %s cannot be registered: %s")
    void beanNotRegistered(String name, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 11, value = "Operation %s of the MBean %s was called on thread %s: %s")
    void beanCalled(String operation, String bean, String thread, String outcome);

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
    void requestTimedOut(String limit, String request);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 120, value = "Rewrite rules cannot be applied to a request, which is refused: %s")
    void rewriteFailed(String what);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 125, value = "Rules cannot be applied to a request, which is refused: %s")
    void rulesFailed(String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 126, value = "%s %s from %s: %d after %.3f ms%s")
    void requestDumped(String method, String target, String client, int status, double millis, String fields);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 201,
            value = "Rejected a request from %s with status %d: found %s (at byte %d of: %s). Further messages"
                    + " of this kind are suppressed for a minute.")
    void http1RequestRefused(Object peer, int status, String what, int offset, String excerpt);

    /** An internal error after which the connection can only be closed. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 202, value = "Closed a connection because of an internal error.")
    void internalError(@Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 203,
            value = "Replaced a response with status 500: its header fields need %d bytes, and"
                    + " maxHttpResponseHeaderSize is %d. Further messages of this kind are suppressed for a minute.")
    void http1HeadTooLarge(int size, int limit);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 204,
            value = "Stopped reading the body of a request from %s and answered with status %d: found %s. Further"
                    + " messages of this kind are suppressed for a minute.")
    void http1BodyGivenUp(Object peer, int status, String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 205,
            value = "Closing a connection from %s with %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void connectionFault(Object peer, Object fault, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 206,
            value = "Replaced a response with status 500: its header fields need %d bytes, and"
                    + " maxHttpResponseHeaderSize is %d. Further messages of this kind are suppressed for a minute.")
    void streamHeadTooLarge(int size, int limit);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 207,
            value = "Stopped reading the body of a request from %s on a stream and answered with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void streamBodyGivenUp(Object peer, int status, String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 208,
            value = "Reset a stream to %s: the client took the response more slowly than minDownloadRate, %d bytes a"
                    + " second; if it should have more time, change minDownloadRate or minDownloadRateGrace."
                    + " Further messages of this kind are suppressed for a minute.")
    void streamReaderTooSlow(Object peer, int rate);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 209,
            value = "Holding back requests of a connection from %s: it has reset many others, or caused their reset."
                    + " Further messages of this kind are suppressed for a minute.")
    void requestHeldBack(Object peer);

    /** Clients at one address abort most of their requests. */
    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 210,
            value =
                    "First requests on new connections from %s wait for a second: clients there have aborted more requests than"
                            + " maxAbortsPerAddress allows. Further messages of this kind are suppressed for a minute.")
    void requestsWait(String address);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 300, value = "%s %s failed (reference %s)")
    void exchangeFailed(String method, String path, String reference, @Cause Throwable thrown);

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
    void endListenerFailed(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 304, value = "%s: cannot start a worker thread: %s; continuing with %s")
    void workerNotStarted(String pool, String cause, String threads);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 305, value = "%s: the worker pool's supervisor task failed; continuing")
    void supervisorFailed(String pool, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 306,
            value = "Requests from %s wait: others from there occupy %d worker threads, as maxThreadsPerAddress allows."
                    + " Further messages of this kind are suppressed for a minute.")
    void addressWaits(String address, int most);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 320,
            value =
                    "Rejected a WebSocket handshake for %s with status 403: its page is of the origin %s, which is not allowed."
                            + " Further messages of this kind are suppressed for a minute.")
    void originRefused(String path, String origin);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 321,
            value = "Closed the WebSocket of %s for %s with %d: %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void webSocketClosedForPeer(Object peer, String path, int code, String what);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 322, value = "WebSocket for %s: %s of the listener %s threw an exception")
    void webSocketListenerFailed(String path, String call, String listener, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 323, value = "WebSocket for %s: a completion threw an exception")
    void webSocketCompletionFailed(String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 324,
            value =
                    "A WebSocket for %s was opened with permessage-deflate and context takeover: such a connection keeps 0.1 to 0.3 MB of"
                            + " memory outside of the heap while it is open, also when it is idle. Further ones are not logged.")
    void contextTakeover(String path);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 325,
            value = "WebSocket for %s: the publisher of its messages failed; the connection is closed with 1011")
    void webSocketPublisherFailed(String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 740, value = "Closed a TLS connection because of an internal error.")
    void tlsFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 760, value = "TLS host %s: new certificates loaded: %s")
    void certificatesReloaded(String host, String certificates);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 761,
            value = "TLS host %s: the changed certificate files cannot be used, the previous certificates stay in"
                    + " use: %s")
    void certificatesNotReloaded(String host, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 762, value = "TLS host %s: %s")
    void certificateWarning(String host, String finding);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 763, value = "%s")
    void certificatesInUse(String host);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 780,
            value = "Closed a connection from %s: proxyProtocol is required, and the address is not in"
                    + " proxyProtocolTrusted (%s)")
    void proxyHeaderUntrusted(SocketAddress peer, String trusted);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 781,
            value = "Closed a connection from %s: proxyProtocol is required, but the connection did not start"
                    + " with a PROXY protocol header; configure the front end to send one, or set"
                    + " proxyProtocol=\"optional\"")
    void proxyHeaderMissing(SocketAddress peer);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 782, value = "Closed a connection from %s: malformed PROXY protocol header: %s")
    void proxyHeaderMalformed(SocketAddress peer, String defect);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 783,
            value = "Closed a connection from %s: the PROXY protocol header was not complete after %s ms"
                    + " (proxyProtocolTimeout)")
    void proxyHeaderLate(SocketAddress peer, String millis);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 1001, value = "Uncaught exception in a timer task")
    void timerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 1002,
            value = "Cannot allocate direct memory for more than %d I/O buffers: %s. Connections that need one"
                    + " are closed; raise -XX:MaxDirectMemorySize or lower bufferPoolSize")
    void directMemoryExhausted(int buffers, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4790,
            value = "Requests to the application at \"%s\" did not complete within %d ms; stopping it anyway")
    void applicationBusy(String contextPath, long millis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5220,
            value = "Reset a stream (%s) of %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void streamMalformed(String protocol, Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5221,
            value = "Rejected a request on a stream (%s) from %s with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void streamRequestRefused(String protocol, Object peer, int status, String found);

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
    void healthCheckFailed(String backend, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5410, value = "The callback of a request that was waiting for a connection to %s failed")
    void waiterFailed(String destination, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5411,
            value =
                    "The client %s holds its share of the connections to %s (clientShare: %d %%); its further requests wait")
    void shareReached(String client, String destination, int percent);
}
