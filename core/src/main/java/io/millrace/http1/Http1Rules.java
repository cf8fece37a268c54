package io.millrace.http1;

import static io.millrace.http1.Http1Options.KEEP_ALIVE_HEADER;
import static io.millrace.protocol.HttpOptions.ALLOW_HOST_HEADER_MISMATCH;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.RELAXED_PATH_CHARS;
import static io.millrace.protocol.HttpOptions.RELAXED_QUERY_CHARS;
import static io.millrace.protocol.HttpOptions.SERVER;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.http.RecentTexts;
import io.millrace.http.RequestPath;
import io.millrace.http.Status;
import io.millrace.http.TargetOctets;
import io.millrace.log.CoreLog;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.RequestRules;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The parsing rules for all requests of a connector, and caches. Thread-safe. */
final class Http1Rules {

    private static final long LOG_INTERVAL = TimeUnit.MINUTES.toNanos(1);
    private static final int ERROR_HEAD_SIZE = 160;
    private static final int MAX_CACHED_PATH = 64;

    /** A browser's User-Agent has about 110 octets, its Accept 130. */
    private static final int MAX_CACHED_VALUE = 160;

    private final Settings options;
    private final RequestRules request;
    private final String scheme;
    private final TargetOctets targetOctets;
    private final DateLine date = new DateLine();
    private final byte @Nullable [] serverLine;
    private final byte @Nullable [] keepAliveLines;
    private final AtomicLong nextLog = new AtomicLong(Long.MIN_VALUE);
    private final RecentTexts<RequestPath> paths = new RecentTexts<>(MAX_CACHED_PATH);
    private final RecentTexts<String> values = new RecentTexts<>(MAX_CACHED_VALUE);

    Http1Rules(Settings options, String scheme) {
        this.options = options;
        this.scheme = scheme;
        request = new RequestRules(
                options.get(MAX_HEADER_COUNT),
                options.get(ENCODED_SOLIDUS_HANDLING),
                options.get(URI_ENCODING),
                options.get(ALLOW_HOST_HEADER_MISMATCH),
                false);
        serverLine = options.get(SERVER).isEmpty() ? null : Octets.ascii("Server: " + options.get(SERVER) + "\r\n");
        keepAliveLines = keepAliveLines(options);
        targetOctets = new TargetOctets(options.get(RELAXED_PATH_CHARS), options.get(RELAXED_QUERY_CHARS));
    }

    Settings options() {
        return options;
    }

    /** The rules that all protocols share. */
    RequestRules request() {
        return request;
    }

    String scheme() {
        return scheme;
    }

    TargetOctets targetOctets() {
        return targetOctets;
    }

    DateLine date() {
        return date;
    }

    /** The Server field, including CR LF; null for none. */
    byte @Nullable [] serverLine() {
        return serverLine;
    }

    /** The fields for a client that asked for keep-alive, with the timeout; null for none. */
    byte @Nullable [] keepAliveLines() {
        return keepAliveLines;
    }

    /** The error response in place of one whose head is too large. Logs that, at most once a minute. */
    ByteBuffer insteadOfHead(int size) {
        long now = System.nanoTime();
        long due = nextLog.get();
        if ((due == Long.MIN_VALUE || now - due >= 0) && nextLog.compareAndSet(due, now + LOG_INTERVAL)) {
            CoreLog.HTTP1.http1HeadTooLarge(size, options.get(MAX_RESPONSE_HEADER_SIZE));
        }
        HeadEncoder encoder = new HeadEncoder(ERROR_HEAD_SIZE);
        encoder.statusLine(Status.INTERNAL_SERVER_ERROR, null);
        encoder.octets(date.bytes());
        encoder.contentLength(0);
        encoder.field("Connection", "close");
        return encoder.end();
    }

    private static byte @Nullable [] keepAliveLines(Settings options) {
        long seconds = ProtocolOptions.keepAliveTimeout(options).toSeconds();
        return options.get(KEEP_ALIVE_HEADER) && seconds > 0
                ? Octets.ascii("Keep-Alive: timeout=" + seconds + "\r\nConnection: keep-alive\r\n")
                : null;
    }

    /** The path in these bytes; null if it is rejected. */
    @Nullable
    RequestPath path(byte[] bytes, int from, int to) {
        RequestPath recent = paths.get(bytes, from, to);
        if (recent != null) {
            return recent;
        }
        RequestPath path = request.path(Octets.text(bytes, from, to));
        if (path != null) {
            paths.put(bytes, from, to, path);
        }
        return path;
    }

    /** The value of a field in these octets, of those {@linkplain KnownField#isRepeated that are repeated}. */
    String repeatedValue(byte[] bytes, int from, int to) {
        String value = values.get(bytes, from, to);
        if (value == null) {
            value = Octets.text(bytes, from, to);
            values.put(bytes, from, to, value);
        }
        return value;
    }
}
