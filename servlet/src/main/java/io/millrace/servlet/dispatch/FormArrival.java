package io.millrace.servlet.dispatch;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.servlet.form.BodyPrefix;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.settings.FormLimits;
import io.millrace.servlet.settings.ServletOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of a small form before filters and servlet are called. {@code getParts} and {@code getParameter} block until
 * the body is complete, so a slow client could hold a worker. Instead, the request is suspended until its body has arrived. The
 * application reads the same bytes, by any method.
 *
 * <p>The body is kept in memory, at most {@code maxPostSize} or 2 MiB, because the client may not be authorized yet: a filter may
 * refuse it. The application itself reads larger uploads, those that exceed the memory shared by all requests, and those with
 * {@code Expect: 100-continue}. Failures are reported to the reader of the body.
 */
final class FormArrival {

    private static final Logger LOG = Logger.getLogger(FormArrival.class);
    private static final byte[] NOTHING = {};

    /** The limit if maxPostSize is larger. */
    private static final long MOST = FormLimits.DEFAULT.maxPostSize();

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";

    private final HttpExchange exchange;
    private final BodySource source;
    private final BodyPrefix body;
    private final long limit;

    private FormArrival(HttpServletRequestImpl request, long limit) {
        this.exchange = request.exchange();
        this.limit = limit;
        source = exchange.input();
        body = new BodyPrefix(source);
        request.facts().hold(body);
    }

    /** The arrival to {@link #await}; null if there is nothing to wait for. */
    static @Nullable FormArrival awaited(HttpServletRequestImpl request) {
        RequestHead head = request.exchange().request();
        String type = head.contentLength() == 0 ? null : request.getContentType();
        if (type == null || head.headers().contains("Expect")) {
            return null;
        }
        long limit = within(request.facts().connector().get(ServletOptions.MAX_POST_SIZE), MOST);
        if (isOf(type, FORM)) {
            return request.facts().takesForm() ? awaited(request, limit) : null;
        }
        MultipartModel multipart = isOf(type, MULTIPART) ? request.facts().multipart() : null;
        return multipart == null ? null : awaited(request, within(multipart.maxRequestSize(), limit));
    }

    /**
     * The smaller limit.
     *
     * @param limit negative for none
     */
    private static long within(long limit, long most) {
        return limit < 0 ? most : Math.min(limit, most);
    }

    private static @Nullable FormArrival awaited(HttpServletRequestImpl request, long limit) {
        long length = request.exchange().request().contentLength();
        if (length > limit || !BodyPrefix.hasRoom()) {
            return null;
        }
        try {
            ExchangeInputStream stream = ExchangeInputStream.of(request.exchange());
            int there = stream.available();
            if (length >= 0 && there >= length) {
                return null;
            }
            FormArrival arrival = new FormArrival(request, limit);
            return arrival.isThereAtOnce(stream.readNBytes(there)) ? null : arrival;
        } catch (IOException broken) {
            LOG.debugf(broken, "a form did not come");
            return null;
        }
    }

    private static boolean isOf(String type, String expected) {
        return type.regionMatches(true, 0, expected, 0, expected.length());
    }

    private boolean isThereAtOnce(byte[] first) {
        boolean there = isThere(first);
        if (there) {
            exchange.present(exchange.request(), exchange.channel().info(), body);
        }
        return there;
    }

    /**
     * Suspends the exchange until the body has arrived. The owner's last call.
     *
     * @param then runs when it has arrived, as the owner of the exchange, on a worker
     */
    void await(Runnable then) {
        Suspension held = exchange.suspend(Duration.ZERO, never -> {});
        source.awaitReadable(() -> held.resume(resumed -> goOn(then)));
    }

    private void goOn(Runnable then) {
        if (isThere(NOTHING)) {
            exchange.present(exchange.request(), exchange.channel().info(), body);
            then.run();
        } else {
            await(then);
        }
    }

    /** Reads the available input. True at the end of the body, at the limit, and after a failure. */
    private boolean isThere(byte[] first) {
        body.append(ByteBuffer.wrap(first));
        try {
            while (body.size() <= limit && BodyPrefix.hasRoom()) {
                Chunk chunk = source.read();
                if (chunk == null) {
                    return false;
                }
                if (chunk.isEnd()) {
                    return true;
                }
                hold(chunk);
            }
        } catch (IOException broken) {
            LOG.debugf(broken, "the form is incomplete"); // the application's read from the source will fail likewise
        }
        return true;
    }

    private void hold(Chunk chunk) {
        try {
            body.append(chunk.bytes());
        } finally {
            chunk.release();
        }
    }
}
