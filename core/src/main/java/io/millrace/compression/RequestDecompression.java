package io.millrace.compression;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses the bodies of requests (gzip and deflate) before handlers read them. To handlers, such a request has no
 * content coding and a body of unknown length. The response to a body that is too large is 413, to a malformed one 400, and to
 * another coding 415. Immutable.
 */
public final class RequestDecompression {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The maximum size of a decompressed body, in bytes. If it is not set, bodies are not decompressed. Not in Tomcat. */
    public static final Setting<Long> MAX_SIZE =
            GROUP.optional("decompressionMaxSize", SettingType.largeNumber(0, Long.MAX_VALUE));

    private final long maxBytes;

    private RequestDecompression(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Decompression with a limit, which prevents a small request from filling the memory (zip bomb).
     *
     * @param maxBytes the maximum size of a decompressed body
     */
    public static RequestDecompression upTo(long maxBytes) {
        return new RequestDecompression(maxBytes);
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** A handler that decompresses the request bodies of another one. */
    public NonBlockingHandler wrap(HttpHandler next) {
        return exchange -> {
            String coding = coding(exchange.request().headers().get("Content-Encoding"));
            switch (coding) {
                case "", "identity" -> Route.follow(exchange, next);
                case "gzip", "x-gzip", "deflate" -> {
                    decompress(exchange, !coding.equals("deflate"));
                    Route.follow(exchange, next);
                }
                default -> {
                    // the supported codings (RFC 9110, 15.5.16)
                    exchange.response().headers().set("Accept-Encoding", "gzip, deflate");
                    Responses.error(exchange, 415);
                }
            }
        };
    }

    private static String coding(@Nullable String field) {
        return field == null ? "" : field.strip().toLowerCase(Locale.ROOT);
    }

    private void decompress(HttpExchange exchange, boolean gzip) {
        RequestHead head = exchange.request();
        if (head.contentLength() == 0) {
            return;
        }
        InflatingSource source =
                new InflatingSource(exchange.input(), exchange.channel().buffers(), gzip, maxBytes);
        exchange.onEnd(outcome -> source.close());
        Headers fields = head.headers().copy().remove("Content-Encoding").remove("Content-Length");
        if (head.version() == HttpVersion.HTTP_1_1 || head.version() == HttpVersion.HTTP_1_0) {
            fields.set("Transfer-Encoding", "chunked"); // without it, the request would have no body (RFC 9112, 6.3)
        }
        RequestHead plain = new RequestHead(
                head.method(),
                head.target(),
                head.path(),
                head.query(),
                head.version(),
                head.scheme(),
                head.authority(),
                fields,
                -1);
        exchange.present(plain, exchange.channel().info(), source);
    }
}
