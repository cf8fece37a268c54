package io.millrace.http1;

import java.time.Duration;

/**
 * The limits of HTTP/1.1 on one connector, with Tomcat's names and defaults. Each is named in the log line that says it
 * was exceeded.
 *
 * @param maxHttpHeaderSize bytes of request line and header fields together (431, or 414 if the request line alone is
 *     longer)
 * @param maxHeaderCount header fields (431)
 * @param maxTrailerSize bytes of trailer fields (400)
 * @param maxExtensionSize bytes of chunk extensions in one body (400)
 * @param maxSwallowSize bytes of an unread body that are read and dropped to keep the connection; -1: no limit
 * @param maxKeepAliveRequests requests on one connection; -1: no limit; 1: no keep-alive
 * @param connectionTimeout for the first byte of a connection, and for a head to arrive whole (408), and for each wait
 *     for the body or for the peer to accept output
 * @param keepAliveTimeout between requests
 */
public record Http1Options(
        int maxHttpHeaderSize,
        int maxHeaderCount,
        int maxTrailerSize,
        int maxExtensionSize,
        long maxSwallowSize,
        int maxKeepAliveRequests,
        Duration connectionTimeout,
        Duration keepAliveTimeout) {

    /** Tomcat 9's defaults; its shipped server.xml sets connectionTimeout to 20 s. */
    public static final Http1Options DEFAULTS = new Http1Options(
            8192, 100, 8192, 8192, 2 * 1024 * 1024, 100, Duration.ofSeconds(60), Duration.ofSeconds(60));
}
