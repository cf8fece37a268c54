package io.millrace.compression;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.number;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Route;
import io.millrace.http.AcceptEncoding;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compresses responses for clients that accept it: with gzip and deflate, and with zstd and br if zstd-jni and brotli4j
 * are on the class path. A response is not compressed if it has a content coding already, is small, is not of a
 * compressible type, is partial (206), or is marked {@code no-transform}. Compression removes the Content-Length and
 * Accept-Ranges, and makes the entity tag weak. The settings have Tomcat's names. Immutable.
 */
public final class Compression {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final SettingType<Set<String>> KNOWN_CODINGS = NAMES.limitedTo(
            "names between commas, of zstd, br, gzip and deflate",
            Set.of("zstd", "br", "gzip", "deflate")::containsAll);

    private static final String DEFAULT_TYPES =
            "text/html,text/xml,text/plain,text/css,text/javascript,application/javascript,"
                    + "application/json,application/xml";

    /** The minimum size of a body, in bytes; bodies of unknown length count as large enough. */
    public static final Setting<Integer> MIN_SIZE = GROUP.add("compressionMinSize", number(0, Integer.MAX_VALUE), 2048);

    /** Whether responses are compressed. In server.xml a minimum size may be given instead, which means {@code on}. */
    public static final Setting<CompressionMode> MODE =
            GROUP.add("compression", SettingType.constant(CompressionMode.class), CompressionMode.OFF);

    /** The compressible content types, or prefixes of them: {@code text/} for all text. Case is ignored. */
    public static final Setting<Set<String>> COMPRESSIBLE_MIME_TYPE =
            GROUP.add("compressibleMimeType", NAMES, Set.of(DEFAULT_TYPES.split(",", -1)), DEFAULT_TYPES);

    /** Clients whose entire User-Agent field matches get nothing compressed. Default: none. */
    public static final Setting<Pattern> NO_COMPRESSION_USER_AGENTS =
            GROUP.optional("noCompressionUserAgents", PATTERN);

    /**
     * Whether responses with a strong entity tag are not compressed, which is the default in server.xml; otherwise they
     * are compressed, and the tag becomes weak.
     */
    public static final Setting<Boolean> NO_COMPRESSION_STRONG_ETAG =
            GROUP.add("noCompressionStrongETag", FLAG, false, "true");

    /**
     * The codings to offer, of {@code zstd}, {@code br}, {@code gzip} and {@code deflate}; empty for all that are
     * available. Not in Tomcat.
     */
    public static final Setting<Set<String>> CODINGS = GROUP.add("compressionCodings", KNOWN_CODINGS, Set.of());

    /** The maximum size of a file that is compressed, in bytes; larger ones are left to sendfile. */
    static final long LARGEST_FILE = 1L << 20;

    private static final int PARTIAL = 206;

    private final List<ContentCoding> codings;
    private final List<String> names;
    private final List<String> types;
    private final int minSize;
    private final CompressionMode mode;
    private final boolean exceptStrongTags;
    private final @Nullable Pattern userAgents;

    private Compression(Settings settings) {
        Set<String> offered = settings.get(CODINGS);
        mode = settings.get(MODE);
        codings = mode == CompressionMode.OFF
                ? List.of()
                : Available.CODINGS.stream()
                        .filter(coding -> offered.isEmpty() || offered.contains(coding.name()))
                        .toList();
        names = codings.stream().map(ContentCoding::name).toList();
        types = settings.get(COMPRESSIBLE_MIME_TYPE).stream()
                .map(type -> type.toLowerCase(Locale.ROOT))
                .toList();
        minSize = settings.get(MIN_SIZE);
        exceptStrongTags = settings.get(NO_COMPRESSION_STRONG_ETAG);
        userAgents = mode == CompressionMode.FORCE ? null : settings.find(NO_COMPRESSION_USER_AGENTS);
    }

    /** Compression with these settings. */
    public static Compression of(Settings settings) {
        return new Compression(settings);
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The available codings in order of preference; empty if {@link #MODE} is off. */
    public List<String> codings() {
        return names;
    }

    /** A handler that compresses the responses of another one; that one itself if {@link #MODE} is off. */
    public HttpHandler wrap(HttpHandler next) {
        return mode == CompressionMode.OFF ? next : compressing(next);
    }

    private NonBlockingHandler compressing(HttpHandler next) {
        return exchange -> {
            exchange.output().wrap(sink -> {
                CompressingSink compressing = new CompressingSink(this, exchange, sink);
                exchange.attributes().put(CompressingSink.KEY, compressing);
                return compressing;
            });
            Route.follow(exchange, next);
        };
    }

    /**
     * How to compress a response, by its head; null if it is not to be compressed. Adds a Vary field if the decision
     * depends on the client.
     *
     * @param length the length of the body in bytes; -1 if unknown
     */
    @Nullable
    ContentCoding choose(HttpExchange exchange, long length) {
        Headers fields = exchange.response().headers();
        boolean isOfWhole = isOfWhole(exchange.response());
        if (!isOfWhole && !isCompressible(exchange.response(), length)) {
            return null;
        }
        Headers request = exchange.request().headers();
        if (fields.all("Vary").stream().noneMatch(value -> value.equals("*") || names(value, "accept-encoding"))) {
            fields.add("Vary", "Accept-Encoding");
        }
        if (isOfWhole) {
            keepWeak(fields, request);
            return null;
        }
        String agent = userAgents == null ? null : request.get("User-Agent");
        if (userAgents != null && agent != null && userAgents.matcher(agent).matches()) {
            return null;
        }
        String best = AcceptEncoding.of(request).best(names);
        return best == null ? null : codings.get(names.indexOf(best));
    }

    /**
     * Whether the response corresponds to a 200 response that might be compressed (RFC 9110, 15.3.7 and 15.4.5). The
     * type of a 304 and of a multipart response is unknown here.
     */
    private boolean isOfWhole(ResponseHead head) {
        String type = head.headers().get("Content-Type");
        boolean isPart = head.status() == PARTIAL
                && (type != null && type.startsWith("multipart/byteranges") || isType(type))
                && mayBeChanged(head.headers());
        return isPart || head.status() == Status.NOT_MODIFIED;
    }

    /** A client that sends the weak tag of a compressed response gets that tag again. */
    private static void keepWeak(Headers fields, Headers request) {
        String etag = fields.get("ETag");
        boolean known = etag != null
                && !etag.startsWith("W/")
                && request.all("If-None-Match").stream().anyMatch(tags -> tags.contains("W/" + etag));
        if (known) {
            fields.set("ETag", "W/" + etag);
        }
    }

    private boolean isCompressible(ResponseHead head, long length) {
        int status = head.status();
        Headers fields = head.headers();
        boolean whole = status >= 200 && status != 204 && status != 205 && status != PARTIAL && status != 304;
        if (!whole || length >= 0 && (length == 0 || length < minSize && mode != CompressionMode.FORCE)) {
            return false;
        }
        return !fields.contains("Content-Range") && mayBeChanged(fields) && isType(fields.get("Content-Type"));
    }

    private boolean mayBeChanged(Headers fields) {
        String encoded = fields.get("Content-Encoding");
        String etag = fields.get("ETag");
        return (encoded == null || encoded.equalsIgnoreCase("identity"))
                && (!exceptStrongTags || etag == null || etag.startsWith("W/"))
                && fields.all("Cache-Control").stream().noneMatch(value -> names(value, "no-transform"));
    }

    private static boolean names(String list, String element) {
        return list.toLowerCase(Locale.ROOT).contains(element);
    }

    private boolean isType(@Nullable String contentType) {
        if (mode == CompressionMode.FORCE) {
            return true;
        }
        String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
        for (String known : types) {
            if (type.startsWith(known)) {
                return true;
            }
        }
        return false;
    }

    /** Adjusts the header fields to the compression. */
    static void describe(HttpExchange exchange, ContentCoding coding) {
        ResponseHead head = exchange.response();
        Headers fields = head.headers();
        head.contentLength(-1);
        fields.set("Content-Encoding", coding.name()).remove("Accept-Ranges").remove("Content-MD5");
        String etag = fields.get("ETag");
        if (etag != null && !etag.startsWith("W/")) {
            fields.set("ETag", "W/" + etag); // RFC 9110, 8.8.3.3: a semantically equivalent representation
        }
    }

    static boolean isHead(HttpExchange exchange) {
        return exchange.request().method().equals(Method.HEAD);
    }

    /** Initialized with the first compression that is not off, since native libraries take time to load. */
    private static final class Available {
        static final List<ContentCoding> CODINGS = ContentCoding.available();
    }
}
