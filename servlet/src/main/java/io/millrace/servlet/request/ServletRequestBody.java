package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import javax.servlet.ServletContext;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** A request's body, either as bytes or as characters, and its encoding (Servlet 3.1, 3.11). */
final class ServletRequestBody {

    private final HttpExchange exchange;
    private @Nullable ServletInput input;
    private @Nullable BufferedReader reader;
    private @Nullable String encoding;

    ServletRequestBody(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /** The encoding that was set, else the request's own, else the application's default; null if there is none. */
    @Nullable
    String encoding(ServletContext application) {
        if (encoding != null) {
            return encoding;
        }
        String sent = MediaType.charset(exchange.request().headers().get("Content-Type"));
        return sent != null ? sent : application.getRequestCharacterEncoding();
    }

    /** Ignored once the reader was created. */
    void encoding(String name) throws UnsupportedEncodingException {
        if (reader == null) {
            charset(name);
            encoding = name;
        }
    }

    static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(name);
        }
    }

    ServletInputStream stream(AsyncMode async) {
        if (reader != null) {
            throw new IllegalStateException("getReader() was called for this request; use one of the two");
        }
        if (input == null) {
            input = new ServletInput(ExchangeInputStream.of(exchange), async::listeners);
        }
        return input;
    }

    BufferedReader reader(ServletContext application) throws IOException {
        if (reader == null) {
            if (input != null) {
                throw new IllegalStateException("getInputStream() was called for this request; use one of the two");
            }
            String name = encoding(application);
            Charset charset = name == null ? StandardCharsets.ISO_8859_1 : charset(name);
            reader = new BufferedReader(new InputStreamReader(ExchangeInputStream.of(exchange), charset));
        }
        return reader;
    }

    /**
     * True once trailer fields are known, or impossible (Servlet 4.0, 3.1.1): in HTTP/1.1 a body with a Content-Length has none,
     * but in multiplexed protocols it may.
     */
    boolean areTrailersReady() {
        RequestHead head = exchange.request();
        boolean framed = head.version() == HttpVersion.HTTP_1_1 || head.version() == HttpVersion.HTTP_1_0;
        return head.contentLength() == 0
                || head.contentLength() > 0 && framed
                || ExchangeInputStream.of(exchange).isFinished();
    }

    /** The trailer fields, with names in lower case; empty if there are none. */
    Map<String, String> trailers() {
        if (!areTrailersReady()) {
            throw new IllegalStateException("the request's body must be read to its end before its trailer fields");
        }
        Headers trailers = exchange.input().trailers();
        Map<String, StringJoiner> values = new LinkedHashMap<>();
        for (int i = 0; trailers != null && i < trailers.size(); i++) {
            values.computeIfAbsent(trailers.name(i).toLowerCase(Locale.ROOT), name -> new StringJoiner(","))
                    .add(trailers.value(i));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        values.forEach((name, all) -> fields.put(name, all.toString()));
        return fields;
    }

    /** The body's bytes; null if the application reads them. */
    @Nullable
    InputStream forForm() {
        return input != null || reader != null ? null : ExchangeInputStream.of(exchange);
    }
}
