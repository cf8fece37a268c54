package io.millrace.http1;

import io.millrace.http.EncodedSlash;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes {@link Http1Options}. What is not set has Tomcat 9's default; where ours differs the method says so. */
public final class Http1OptionsBuilder {

    private static final String RELAXABLE = "\"<>[\\]^`{|}";
    private static final int LEAST_HEADER_SIZE = 64;
    private static final String ASCII = "/azAZ09%.;?&=+-_~";

    int maxHttpRequestHeaderSize = 8192;
    int maxHttpResponseHeaderSize = 8192;
    int maxHeaderCount = 100;
    int maxTrailerSize = 8192;
    int maxExtensionSize = 8192;
    long maxSwallowSize = 2 * 1024 * 1024;
    int maxKeepAliveRequests = 100;
    Duration connectionTimeout = Duration.ofSeconds(60);
    Duration keepAliveTimeout = Duration.ofSeconds(60);

    @Nullable
    Duration uploadTimeout;

    int minUploadRate = 240;
    Duration minUploadRateGrace = Duration.ofSeconds(30);

    EncodedSlash encodedSolidusHandling = EncodedSlash.REJECT;
    String relaxedPathChars = "";
    String relaxedQueryChars = "";
    Charset pathCharset = StandardCharsets.UTF_8;
    boolean allowHostHeaderMismatch;
    boolean rejectIllegalHeader = true;
    boolean allowHalfClose = true;

    @Nullable
    Set<String> allowedTrailerHeaders;

    ContinueTiming continueTiming = ContinueTiming.ON_READ;
    boolean keepAliveHeader = true;

    @Nullable
    String server;

    Http1OptionsBuilder() {}

    Http1OptionsBuilder(Http1Options from) {
        maxHttpRequestHeaderSize = from.maxHttpRequestHeaderSize();
        maxHttpResponseHeaderSize = from.maxHttpResponseHeaderSize();
        maxHeaderCount = from.maxHeaderCount();
        maxTrailerSize = from.maxTrailerSize();
        maxExtensionSize = from.maxExtensionSize();
        maxSwallowSize = from.maxSwallowSize();
        maxKeepAliveRequests = from.maxKeepAliveRequests();
        connectionTimeout = from.connectionTimeout();
        keepAliveTimeout = from.keepAliveTimeout();
        uploadTimeout = from.uploadTimeout();
        minUploadRate = from.minUploadRate();
        minUploadRateGrace = from.minUploadRateGrace();
        encodedSolidusHandling = from.encodedSolidusHandling();
        relaxedPathChars = from.relaxedPathChars();
        relaxedQueryChars = from.relaxedQueryChars();
        pathCharset = from.pathCharset();
        allowHostHeaderMismatch = from.allowHostHeaderMismatch();
        rejectIllegalHeader = from.rejectIllegalHeader();
        allowHalfClose = from.allowHalfClose();
        allowedTrailerHeaders = from.allowedTrailerHeaders();
        continueTiming = from.continueTiming();
        keepAliveHeader = from.keepAliveHeader();
        server = from.server();
    }

    /** Bytes of a head, in both directions; 8192 otherwise. */
    public Http1OptionsBuilder maxHttpHeaderSize(int value) {
        return maxHttpRequestHeaderSize(value).maxHttpResponseHeaderSize(value);
    }

    /** Bytes of request line and header fields together (431, or 414 if the request line alone is longer); 8192 otherwise. */
    public Http1OptionsBuilder maxHttpRequestHeaderSize(int value) {
        maxHttpRequestHeaderSize = headerSize("maxHttpRequestHeaderSize", value);
        return this;
    }

    /** Bytes of a response's head, status line and fields; a larger one is replaced by status 500. 8192 otherwise. */
    public Http1OptionsBuilder maxHttpResponseHeaderSize(int value) {
        maxHttpResponseHeaderSize = headerSize("maxHttpResponseHeaderSize", value);
        return this;
    }

    /** Header fields (431); 100 otherwise. */
    public Http1OptionsBuilder maxHeaderCount(int value) {
        require(value > 0, "maxHeaderCount", value, "at least 1");
        maxHeaderCount = value;
        return this;
    }

    /** Bytes of trailer fields (400); 8192 otherwise. */
    public Http1OptionsBuilder maxTrailerSize(int value) {
        require(value >= 0, "maxTrailerSize", value, "0 or more");
        maxTrailerSize = value;
        return this;
    }

    /** Bytes of chunk extensions in one body (400); 8192 otherwise. */
    public Http1OptionsBuilder maxExtensionSize(int value) {
        require(value >= 0, "maxExtensionSize", value, "0 or more");
        maxExtensionSize = value;
        return this;
    }

    /** Bytes of an unread body that are read and dropped to keep the connection; -1: no limit. 2 MiB otherwise. */
    public Http1OptionsBuilder maxSwallowSize(long value) {
        require(value >= -1, "maxSwallowSize", value, "-1 (no limit) or more");
        maxSwallowSize = value;
        return this;
    }

    /** Requests on one connection; -1: no limit; 1: no keep-alive. 100 otherwise. */
    public Http1OptionsBuilder maxKeepAliveRequests(int value) {
        require(value != 0, "maxKeepAliveRequests", value, "-1 (no limit), or 1 or more");
        maxKeepAliveRequests = value;
        return this;
    }

    /**
     * For the first byte of a connection, for a head to arrive whole (408), for each wait for the peer to accept output, and
     * unless {@link #uploadTimeout} is set, for each wait for the body; zero waits for ever. 60 s otherwise.
     */
    public Http1OptionsBuilder connectionTimeout(Duration value) {
        require(!value.isNegative(), "connectionTimeout", value, "0 (no limit) or more");
        connectionTimeout = value;
        return this;
    }

    /** Between requests; zero waits for ever. 60 s otherwise. */
    public Http1OptionsBuilder keepAliveTimeout(Duration value) {
        require(!value.isNegative(), "keepAliveTimeout", value, "0 (no limit) or more");
        keepAliveTimeout = value;
        return this;
    }

    /** For each wait for a request's body; zero waits for ever. The connectionTimeout otherwise. */
    public Http1OptionsBuilder uploadTimeout(Duration value) {
        require(!value.isNegative(), "uploadTimeout", value, "0 (no limit) or more");
        uploadTimeout = value;
        return this;
    }

    /**
     * Octets a second that a request's body has to come at, on average over the time it is waited for; whoever is slower for
     * longer than the {@linkplain #minUploadRateGrace grace} is answered with 408. -1: any rate. Not in Tomcat; 240
     * otherwise. Without effect where {@link #uploadTimeout} is zero.
     */
    public Http1OptionsBuilder minUploadRate(int value) {
        require(value == -1 || value > 0, "minUploadRate", value, "-1 (any rate), or 1 or more octets a second");
        minUploadRate = value;
        return this;
    }

    /**
     * How long a client may fall behind {@link #minUploadRate} altogether; at least the {@link #uploadTimeout}, so that no
     * single wait which that allows is cut short. 30 seconds otherwise.
     */
    public Http1OptionsBuilder minUploadRateGrace(Duration value) {
        require(!value.isNegative(), "minUploadRateGrace", value, "zero or more");
        minUploadRateGrace = value;
        return this;
    }

    /** What becomes of {@code %2F} in a path; refused otherwise. */
    public Http1OptionsBuilder encodedSolidusHandling(EncodedSlash value) {
        encodedSolidusHandling = Objects.requireNonNull(value);
        return this;
    }

    /** Characters that a path may hold although RFC 3986 forbids it; of {@code "<>[\]^`{|}}; none otherwise. */
    public Http1OptionsBuilder relaxedPathChars(String value) {
        relaxedPathChars = relaxable("relaxedPathChars", value);
        return this;
    }

    /** The same for the query. */
    public Http1OptionsBuilder relaxedQueryChars(String value) {
        relaxedQueryChars = relaxable("relaxedQueryChars", value);
        return this;
    }

    /** What escaped octets of a path are; strict UTF-8 otherwise. Escaped slashes, dots and controls are recognized first. */
    public Http1OptionsBuilder pathCharset(Charset value) {
        require(isSupersetOfAscii(value), "pathCharset", value, "one in which ASCII is written as ASCII");
        pathCharset = value;
        return this;
    }

    /** Let an absolute-form target name another host than Host does (else 400); false otherwise. */
    public Http1OptionsBuilder allowHostHeaderMismatch(boolean value) {
        allowHostHeaderMismatch = value;
        return this;
    }

    /**
     * Whether a field with an illegal name or value is refused (400) rather than left out; true otherwise. Even if false a
     * field that would say how the request is framed, or where it goes, is refused: a proxy may have read it.
     */
    public Http1OptionsBuilder rejectIllegalHeader(boolean value) {
        rejectIllegalHeader = value;
        return this;
    }

    /**
     * May a client end its output while its request waits, asynchronously, and still get the response, as Tomcat and Jetty
     * allow? True otherwise. False: such a client counts as gone, and whoever works for it is told at once; most clients
     * that close a connection can't be told from one that only ends its output.
     */
    public Http1OptionsBuilder allowHalfClose(boolean value) {
        allowHalfClose = value;
        return this;
    }

    /** The trailer fields that are kept, by name; unlike Tomcat's, which are none, all otherwise: no field of the head is touched by them. */
    public Http1OptionsBuilder allowedTrailerHeaders(Collection<String> names) {
        allowedTrailerHeaders =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /** When a client that waits for 100 gets it; unlike Tomcat's, when the body is first read, otherwise. */
    public Http1OptionsBuilder continueTiming(ContinueTiming value) {
        continueTiming = Objects.requireNonNull(value);
        return this;
    }

    /** Whether a client that asked for keep-alive is told the keepAliveTimeout; true otherwise. */
    public Http1OptionsBuilder keepAliveHeader(boolean value) {
        keepAliveHeader = value;
        return this;
    }

    /** The Server field of each response, whatever applications say; null, as by default, for theirs, or none. */
    public Http1OptionsBuilder server(@Nullable String value) {
        server = value;
        return this;
    }

    /** The options. */
    public Http1Options build() {
        return new Http1Options(this);
    }

    private static boolean isSupersetOfAscii(Charset charset) {
        return charset.canEncode() && new String(ASCII.getBytes(charset), StandardCharsets.ISO_8859_1).equals(ASCII);
    }

    private static int headerSize(String name, int bytes) {
        require(bytes >= LEAST_HEADER_SIZE, name, bytes, "at least 64");
        return bytes;
    }

    private static String relaxable(String name, String characters) {
        boolean known = characters.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0);
        require(known, name, characters, "only characters of " + RELAXABLE);
        return characters;
    }

    private static void require(boolean holds, String name, Object found, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + found + "; expected " + expected);
        }
    }
}
