package io.millrace.compression;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.number;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
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
 * Compresses responses on the fly, for clients that take it: by gzip and deflate, and by zstd and br if zstd-jni and brotli4j
 * are on the class path. It leaves alone what is encoded already, small, not of a type that is worth it, a piece of
 * something (206), or marked {@code no-transform}. What it compresses loses its length, its offer of ranges and the strength
 * of its entity tag. Its settings have Tomcat's names. Immutable.
 */
public final class Compression {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final SettingType<Set<String>> KNOWN_CODINGS = NAMES.limitedTo(
            "names between commas, of zstd, br, gzip and deflate",
            Set.of("zstd", "br", "gzip", "deflate")::containsAll);

    private static final String DEFAULT_TYPES =
            "text/html,text/xml,text/plain,text/css,text/javascript,application/javascript,"
                    + "application/json,application/xml";

    /** Bytes; shorter bodies are left as they are, if their length is known. */
    public static final Setting<Integer> MIN_SIZE = GROUP.add("compressionMinSize", number(0, Integer.MAX_VALUE), 2048);

    /** Whether responses are compressed; in server.xml the least size may be said instead, which means {@code on}. */
    public static final Setting<CompressionMode> MODE =
            GROUP.add("compression", SettingType.constant(CompressionMode.class), CompressionMode.OFF);

    /** The content types worth compressing, or their beginnings: {@code text/} for all text. Upper and lower case alike. */
    public static final Setting<Set<String>> COMPRESSIBLE_MIME_TYPE =
            GROUP.add("compressibleMimeType", NAMES, Set.of(DEFAULT_TYPES.split(",", -1)), DEFAULT_TYPES);

    /** Clients whose User-Agent field matches as a whole get nothing compressed; otherwise there are none such. */
    public static final Setting<Pattern> NO_COMPRESSION_USER_AGENTS =
            GROUP.optional("noCompressionUserAgents", PATTERN);

    /**
     * Whether responses with a strong entity tag are left as they are, as is the default in server.xml; if not, they are
     * compressed, which makes it a weak one.
     */
    public static final Setting<Boolean> NO_COMPRESSION_STRONG_ETAG =
            GROUP.add("noCompressionStrongETag", FLAG, false, "true");

    /** The codings to offer, of {@code zstd}, {@code br}, {@code gzip} and {@code deflate}; empty: all that are there. Not in Tomcat. */
    public static final Setting<Set<String>> CODINGS = GROUP.add("compressionCodings", KNOWN_CODINGS, Set.of());

    /** Of files: larger ones are left to the kernel, as they are. */
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

    /** The compression that these settings ask for. */
    public static Compression of(Settings settings) {
        return new Compression(settings);
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The codings it offers, the one it likes best first; none if the {@link #MODE} is off. */
    public List<String> codings() {
        return names;
    }

    /** A handler that has the responses of another compressed; the other itself if the {@link #MODE} is off. */
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
            if (next instanceof NonBlockingHandler) {
                next.handle(exchange);
            } else {
                exchange.dispatch(next);
            }
        };
    }

    /**
     * How a response is to be compressed, judged by its head; null: not at all. Notes in the head that the client's wishes
     * were asked, if they made a difference.
     *
     * @param length of the body; -1 if it is not known
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
     * Does it say what the 200 would say, that might be compressed (RFC 9110, 15.3.7 and 15.4.5)? Of a 304 and of several
     * parts the type is not known here.
     */
    private boolean isOfWhole(ResponseHead head) {
        String type = head.headers().get("Content-Type");
        boolean isPart = head.status() == PARTIAL
                && (type != null && type.startsWith("multipart/byteranges") || isType(type))
                && mayBeChanged(head.headers());
        return isPart || head.status() == Status.NOT_MODIFIED;
    }

    /** Who asks by the weak tag that a compressed response got has that, and goes on with it. */
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

    /** Says in the head what becomes of the body. */
    static void describe(HttpExchange exchange, ContentCoding coding) {
        ResponseHead head = exchange.response();
        Headers fields = head.headers();
        head.contentLength(-1);
        fields.set("Content-Encoding", coding.name()).remove("Accept-Ranges").remove("Content-MD5");
        String etag = fields.get("ETag");
        if (etag != null && !etag.startsWith("W/")) {
            fields.set("ETag", "W/" + etag); // RFC 9110, 8.8.3.3: another representation, of the same meaning
        }
    }

    static boolean isHead(HttpExchange exchange) {
        return exchange.request().method().equals(Method.HEAD);
    }

    /** Loaded with the first compression that is not off, since native libraries take time. */
    private static final class Available {
        static final List<ContentCoding> CODINGS = ContentCoding.available();
    }
}
