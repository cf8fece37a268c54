package io.millrace.http1;

import io.millrace.http.EncodedSlash;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits and leniencies of HTTP/1.1 on one connector, with Tomcat's names and defaults. Each limit is named in the log
 * line that says it was exceeded. Made from {@link #DEFAULTS} by the {@code with…} methods, which return changed copies.
 *
 * @param maxHttpHeaderSize bytes of request line and header fields together (431, or 414 if the request line alone is
 *     longer)
 * @param maxHeaderCount header fields (431)
 * @param maxTrailerSize bytes of trailer fields (400)
 * @param maxExtensionSize bytes of chunk extensions in one body (400)
 * @param maxSwallowSize bytes of an unread body that are read and dropped to keep the connection; -1: no limit
 * @param maxKeepAliveRequests requests on one connection; -1: no limit; 1: no keep-alive
 * @param connectionTimeout for the first byte of a connection, and for a head to arrive whole (408), and for each wait
 *     for the body or for the peer to accept output; zero waits for ever
 * @param keepAliveTimeout between requests; zero waits for ever
 * @param encodedSolidusHandling what becomes of {@code %2F} in a path
 * @param relaxedPathChars characters that a path may hold although RFC 3986 forbids it; of {@code "<>[\]^`{|}}
 * @param relaxedQueryChars the same for the query
 * @param allowHostHeaderMismatch let an absolute-form target name another host than Host does (else 400)
 * @param server the Server field of each response; null for none
 */
public record Http1Options(
        int maxHttpHeaderSize,
        int maxHeaderCount,
        int maxTrailerSize,
        int maxExtensionSize,
        long maxSwallowSize,
        int maxKeepAliveRequests,
        Duration connectionTimeout,
        Duration keepAliveTimeout,
        EncodedSlash encodedSolidusHandling,
        String relaxedPathChars,
        String relaxedQueryChars,
        boolean allowHostHeaderMismatch,
        @Nullable String server) {

    /** Tomcat 9's defaults; its shipped server.xml sets connectionTimeout to 20 s. */
    public static final Http1Options DEFAULTS = new Http1Options(
            8192,
            100,
            8192,
            8192,
            2 * 1024 * 1024,
            100,
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            EncodedSlash.REJECT,
            "",
            "",
            false,
            null);

    private static final String RELAXABLE = "\"<>[\\]^`{|}";
    private static final int LEAST_HEADER_SIZE = 64;

    public Http1Options {
        require(maxHttpHeaderSize >= LEAST_HEADER_SIZE, "maxHttpHeaderSize", maxHttpHeaderSize, "at least 64");
        require(maxHeaderCount > 0, "maxHeaderCount", maxHeaderCount, "at least 1");
        require(maxTrailerSize >= 0, "maxTrailerSize", maxTrailerSize, "0 or more");
        require(maxExtensionSize >= 0, "maxExtensionSize", maxExtensionSize, "0 or more");
        require(maxSwallowSize >= -1, "maxSwallowSize", maxSwallowSize, "-1 (no limit) or more");
        require(maxKeepAliveRequests != 0, "maxKeepAliveRequests", maxKeepAliveRequests, "-1 (no limit), or 1 or more");
        require(!connectionTimeout.isNegative(), "connectionTimeout", connectionTimeout, "0 (no limit) or more");
        require(!keepAliveTimeout.isNegative(), "keepAliveTimeout", keepAliveTimeout, "0 (no limit) or more");
        requireRelaxable("relaxedPathChars", relaxedPathChars);
        requireRelaxable("relaxedQueryChars", relaxedQueryChars);
    }

    public Http1Options withMaxHttpHeaderSize(int value) {
        return new Http1Options(
                value,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withMaxHeaderCount(int value) {
        return new Http1Options(
                maxHttpHeaderSize,
                value,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withMaxTrailerSize(int value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                value,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withMaxExtensionSize(int value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                value,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withMaxSwallowSize(long value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                value,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withMaxKeepAliveRequests(int value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                value,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withConnectionTimeout(Duration value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                value,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withKeepAliveTimeout(Duration value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                value,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withEncodedSolidusHandling(EncodedSlash value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                value,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withRelaxedPathChars(String value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                value,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withRelaxedQueryChars(String value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                value,
                allowHostHeaderMismatch,
                server);
    }

    public Http1Options withAllowHostHeaderMismatch(boolean value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                value,
                server);
    }

    public Http1Options withServer(@Nullable String value) {
        return new Http1Options(
                maxHttpHeaderSize,
                maxHeaderCount,
                maxTrailerSize,
                maxExtensionSize,
                maxSwallowSize,
                maxKeepAliveRequests,
                connectionTimeout,
                keepAliveTimeout,
                encodedSolidusHandling,
                relaxedPathChars,
                relaxedQueryChars,
                allowHostHeaderMismatch,
                value);
    }

    private static void requireRelaxable(String name, String characters) {
        boolean known = characters.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0);
        require(known, name, characters, "only characters of " + RELAXABLE);
    }

    private static void require(boolean holds, String name, Object found, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + found + "; expected " + expected);
        }
    }
}
