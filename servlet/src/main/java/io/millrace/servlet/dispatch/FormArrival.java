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
 * The coming of a small form's body before filters and servlet are called. {@code getParts} and {@code getParameter} must
 * wait for the client, since they answer at once; so a slow client would hold a worker as long as it likes. Here nobody waits:
 * the request is suspended until its body is there. The application reads the same bytes as if they had come late, by whichever
 * method.
 *
 * <p>What is held is in memory, and no more than {@code maxPostSize} or 2 MiB: the client has no right to anything yet, since a
 * filter may be what refuses it. So a larger upload is the application's own affair, as is one for which the memory of all does not
 * suffice, and one whose client waits for {@code 100 Continue}. Whatever goes wrong is found out by who reads.
 */
final class FormArrival {

    private static final Logger LOG = Logger.getLogger(FormArrival.class);
    private static final byte[] NOTHING = {};

    /** Whatever maxPostSize is: only small forms are worth it. */
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
        request.hold(body);
    }

    /** The coming of a request's body, for {@link #await}; null if there is nothing to wait for. */
    static @Nullable FormArrival awaited(HttpServletRequestImpl request) {
        RequestHead head = request.exchange().request();
        String type = head.contentLength() == 0 ? null : request.getContentType();
        if (type == null || head.headers().contains("Expect")) {
            return null;
        }
        long limit = within(request.connector().get(ServletOptions.MAX_POST_SIZE), MOST);
        if (isOf(type, FORM)) {
            return request.takesForm() ? awaited(request, limit) : null;
        }
        MultipartModel multipart = isOf(type, MULTIPART) ? request.multipart() : null;
        return multipart == null ? null : awaited(request, within(multipart.maxRequestSize(), limit));
    }

    /**
     * The smaller one.
     *
     * @param limit negative: none
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
     * Suspends the exchange until the body is there: the owner's last act.
     *
     * @param then runs when it is there, as the owner of the request, on a worker
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

    /** Takes what has come. True if it is all, or as much as is waited for. */
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
            LOG.debugf(
                    broken,
                    "the form is incomplete"); // whoever reads what came, and then the source, will find the same
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
