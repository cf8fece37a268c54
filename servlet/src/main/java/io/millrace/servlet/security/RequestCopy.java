package io.millrace.servlet.security;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps a request until its sender has logged in, and puts it in the place of the one that comes for it. */
public final class RequestCopy {

    /** The sender's as it is when it comes back, not as it was; and what was said of how the body was sent. */
    private static final Set<String> NOT_KEPT = Set.of(
            "cookie",
            "host",
            "connection",
            "authorization",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "expect",
            "upgrade",
            // its sender no longer expects "not modified"
            "if-modified-since");

    private static final byte[] NOTHING = {};

    private RequestCopy() {}

    /**
     * A request to be kept, without the id of its session in the path, which changes at the login.
     *
     * @param urlSession the id that the path brings; null if it brings none
     * @param body null: none is kept
     * @param limit bytes of the body; negative: no limit
     * @return null if the body is larger
     */
    static @Nullable SavedRequest make(
            RequestHead head, @Nullable String urlSession, @Nullable InputStream body, int limit) throws IOException {
        byte[] bytes = body == null ? NOTHING : read(body, head.contentLength(), limit);
        return bytes == null
                ? null
                : new SavedRequest(
                        head.method(),
                        rawPath(head.path().raw(), urlSession),
                        head.path().decoded(),
                        head.query(),
                        fields(head.headers()),
                        bytes,
                        null);
    }

    private static String rawPath(String raw, @Nullable String id) {
        int value = id == null ? -1 : raw.indexOf("=" + id);
        int start = value < 0 ? -1 : raw.lastIndexOf(';', value);
        return id == null || start < 0 ? raw : raw.substring(0, start) + raw.substring(value + 1 + id.length());
    }

    private static byte @Nullable [] read(InputStream body, long length, int limit) throws IOException {
        if (limit < 0) {
            return body.readAllBytes();
        }
        if (length > limit) {
            return null;
        }
        byte[] bytes = body.readNBytes(limit);
        return bytes.length == limit && body.read() >= 0 ? null : bytes;
    }

    private static List<String> fields(Headers headers) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < headers.size(); i++) {
            if (!NOT_KEPT.contains(headers.name(i).toLowerCase(Locale.ROOT))) {
                fields.add(headers.name(i));
                fields.add(headers.value(i));
            }
        }
        return fields;
    }

    /** The kept request, with what identifies its sender now. */
    static void replay(SavedRequest saved, HttpExchange exchange) {
        RequestHead now = exchange.request();
        Headers headers = new Headers();
        for (int i = 0; i < now.headers().size(); i++) {
            String name = now.headers().name(i);
            if (Set.of("cookie", "host", "connection").contains(name.toLowerCase(Locale.ROOT))) {
                headers.add(name, now.headers().value(i));
            }
        }
        for (int i = 0; i + 1 < saved.fields().size(); i += 2) {
            headers.add(saved.fields().get(i), saved.fields().get(i + 1));
        }
        byte[] body = saved.body();
        headers.set("Content-Length", String.valueOf(body.length));
        exchange.present(
                new RequestHead(
                        saved.method(),
                        now.target(),
                        now.path(),
                        now.query(),
                        now.version(),
                        now.scheme(),
                        now.authority(),
                        headers,
                        body.length),
                exchange.channel().info(),
                BodySource.of(body));
    }

    private static void present(HttpExchange exchange, RequestHead head) {
        exchange.present(head, exchange.channel().info(), exchange.input());
    }

    /** The request as a GET without a body: for a page that is served in its place. */
    public static void asGet(HttpExchange exchange) {
        RequestHead now = exchange.request();
        Headers headers = now.headers().copy();
        List.of("Content-Length", "Content-Type", "Transfer-Encoding").forEach(headers::remove);
        present(
                exchange,
                new RequestHead(
                        "GET",
                        now.target(),
                        now.path(),
                        now.query(),
                        now.version(),
                        now.scheme(),
                        now.authority(),
                        headers,
                        0));
    }
}
