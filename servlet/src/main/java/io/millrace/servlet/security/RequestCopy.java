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

/** Saves a request during a FORM login, and restores it afterwards; replaces a request by a GET. */
public final class RequestCopy {

    /** Fields that are not saved: those of the connection and the sender, which may change, and of the body's framing. */
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
            // after the login the client must get the page itself, not "not modified"
            "if-modified-since");

    private static final byte[] NOTHING = {};

    private RequestCopy() {}

    /**
     * Saves a request, without the session id in its path, because the login changes the id.
     *
     * @param urlSession the session id in the path; null if there is none
     * @param body null: the body is not saved
     * @param limit largest size of the body in bytes; negative: no limit
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

    /** Restores a saved request, with the cookies, Host and Connection fields of the present one. */
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

    /** Changes the request to a GET without a body, for a page of the application that is served instead. */
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
