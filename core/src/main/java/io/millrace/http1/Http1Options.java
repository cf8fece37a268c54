package io.millrace.http1;

import io.millrace.http.EncodedSlash;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits and leniencies of HTTP/1.1 on one connector, with Tomcat's names and defaults. Each limit is named in the log
 * line that says it was exceeded. Immutable; {@link Http1OptionsBuilder} says what each means.
 */
public final class Http1Options {

    /** Tomcat 9's defaults; its shipped server.xml sets connectionTimeout to 20 s. */
    public static final Http1Options DEFAULTS = new Http1OptionsBuilder().build();

    private final int maxHttpRequestHeaderSize;
    private final int maxHttpResponseHeaderSize;
    private final int maxHeaderCount;
    private final int maxTrailerSize;
    private final int maxExtensionSize;
    private final long maxSwallowSize;
    private final int maxKeepAliveRequests;
    private final Duration connectionTimeout;
    private final Duration keepAliveTimeout;
    private final Duration uploadTimeout;
    private final int minUploadRate;
    private final Duration minUploadRateGrace;
    private final EncodedSlash encodedSolidusHandling;
    private final String relaxedPathChars;
    private final String relaxedQueryChars;
    private final Charset pathCharset;
    private final boolean allowHostHeaderMismatch;
    private final boolean rejectIllegalHeader;
    private final boolean allowHalfClose;
    private final @Nullable Set<String> allowedTrailerHeaders;
    private final ContinueTiming continueTiming;
    private final boolean keepAliveHeader;
    private final @Nullable String server;

    Http1Options(Http1OptionsBuilder from) {
        maxHttpRequestHeaderSize = from.maxHttpRequestHeaderSize;
        maxHttpResponseHeaderSize = from.maxHttpResponseHeaderSize;
        maxHeaderCount = from.maxHeaderCount;
        maxTrailerSize = from.maxTrailerSize;
        maxExtensionSize = from.maxExtensionSize;
        maxSwallowSize = from.maxSwallowSize;
        maxKeepAliveRequests = from.maxKeepAliveRequests;
        connectionTimeout = from.connectionTimeout;
        keepAliveTimeout = from.keepAliveTimeout;
        uploadTimeout = from.uploadTimeout == null ? from.connectionTimeout : from.uploadTimeout;
        minUploadRate = from.minUploadRate;
        minUploadRateGrace = from.minUploadRateGrace;
        encodedSolidusHandling = from.encodedSolidusHandling;
        relaxedPathChars = from.relaxedPathChars;
        relaxedQueryChars = from.relaxedQueryChars;
        pathCharset = from.pathCharset;
        allowHostHeaderMismatch = from.allowHostHeaderMismatch;
        rejectIllegalHeader = from.rejectIllegalHeader;
        allowHalfClose = from.allowHalfClose;
        allowedTrailerHeaders = from.allowedTrailerHeaders;
        continueTiming = from.continueTiming;
        keepAliveHeader = from.keepAliveHeader;
        server = from.server;
    }

    /** The defaults, to be changed. */
    public static Http1OptionsBuilder builder() {
        return new Http1OptionsBuilder();
    }

    /** These options, to be changed. */
    public Http1OptionsBuilder toBuilder() {
        return new Http1OptionsBuilder(this);
    }

    /** Bytes of request line and header fields together (431, or 414 if the request line alone is longer). */
    public int maxHttpRequestHeaderSize() {
        return maxHttpRequestHeaderSize;
    }

    /** Bytes of a response's head; a larger one is replaced by status 500. */
    public int maxHttpResponseHeaderSize() {
        return maxHttpResponseHeaderSize;
    }

    /** Header fields (431). */
    public int maxHeaderCount() {
        return maxHeaderCount;
    }

    /** Bytes of trailer fields (400). */
    public int maxTrailerSize() {
        return maxTrailerSize;
    }

    /** Bytes of chunk extensions in one body (400). */
    public int maxExtensionSize() {
        return maxExtensionSize;
    }

    /** Bytes of an unread body that are read and dropped to keep the connection; -1: no limit. */
    public long maxSwallowSize() {
        return maxSwallowSize;
    }

    /** Requests on one connection; -1: no limit; 1: no keep-alive. */
    public int maxKeepAliveRequests() {
        return maxKeepAliveRequests;
    }

    /** For the first byte, for a head to arrive whole (408), and for each wait for output; zero waits for ever. */
    public Duration connectionTimeout() {
        return connectionTimeout;
    }

    /** Between requests; zero waits for ever. */
    public Duration keepAliveTimeout() {
        return keepAliveTimeout;
    }

    /** For each wait for a request's body; zero waits for ever. */
    public Duration uploadTimeout() {
        return uploadTimeout;
    }

    /** Octets a second that a request's body has to come at, on average (408); -1: any. */
    public int minUploadRate() {
        return minUploadRate;
    }

    /** How long a client may fall behind {@link #minUploadRate} before its request is given up. */
    public Duration minUploadRateGrace() {
        return minUploadRateGrace;
    }

    /** What becomes of {@code %2F} in a path. */
    public EncodedSlash encodedSolidusHandling() {
        return encodedSolidusHandling;
    }

    /** Characters that a path may hold although RFC 3986 forbids it. */
    public String relaxedPathChars() {
        return relaxedPathChars;
    }

    /** The same for the query. */
    public String relaxedQueryChars() {
        return relaxedQueryChars;
    }

    /** What escaped octets of a path are. */
    public Charset pathCharset() {
        return pathCharset;
    }

    /** May an absolute-form target name another host than Host does? */
    public boolean allowHostHeaderMismatch() {
        return allowHostHeaderMismatch;
    }

    /** Is a malformed header field refused, rather than left out? */
    public boolean rejectIllegalHeader() {
        return rejectIllegalHeader;
    }

    /**
     * May a client end its output while its request waits, asynchronously, and still get the response? Otherwise it counts as
     * gone then.
     */
    public boolean allowHalfClose() {
        return allowHalfClose;
    }

    /** Names, in lower case, of the trailer fields that are kept; null for all. */
    public @Nullable Set<String> allowedTrailerHeaders() {
        return allowedTrailerHeaders;
    }

    /** When a client that waits for 100 gets it. */
    public ContinueTiming continueTiming() {
        return continueTiming;
    }

    /** Is a client that asked for keep-alive told the keepAliveTimeout? */
    public boolean keepAliveHeader() {
        return keepAliveHeader;
    }

    /** The Server field of each response; null for none. */
    public @Nullable String server() {
        return server;
    }
}
