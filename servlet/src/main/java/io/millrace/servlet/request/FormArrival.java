package io.millrace.servlet.request;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.ExchangeInputStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.servlet.form.BodyPrefix;
import io.millrace.servlet.form.FormLimits;
import io.millrace.servlet.form.FormSource;
import io.millrace.servlet.model.MultipartModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jboss.logging.Logger;

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
public final class FormArrival {

    private static final Logger LOG = Logger.getLogger(FormArrival.class);
    private static final byte[] NOTHING = {};

    /** Whatever maxPostSize is: only small forms are worth it. */
    private static final long MOST = FormLimits.DEFAULT.maxPostSize();

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";

    private final HttpServletRequestImpl request;
    private final HttpExchange exchange;
    private final Runnable then;
    private final BodySource source;
    private final BodyPrefix body;
    private final long limit;

    private FormArrival(HttpServletRequestImpl request, long limit, Runnable then) {
        this.request = request;
        this.exchange = request.exchange();
        this.then = then;
        this.limit = limit;
        source = exchange.input();
        body = new BodyPrefix(source);
    }

    /**
     * Waits for the request's body, if it is a form's and not there yet.
     *
     * @param then runs when it is there, as the owner of the request, on a worker
     * @return false if there is nothing to wait for: then nothing runs
     */
    public static boolean await(HttpServletRequestImpl request, Runnable then) {
        RequestHead head = request.exchange().request();
        String type = head.contentLength() == 0 ? null : request.getContentType();
        if (type == null || head.headers().contains("Expect")) {
            return false;
        }
        FormSource form = request.client();
        long limit = within(request.connector().forms().maxPostSize(), MOST);
        if (isOf(type, FORM)) {
            return form.takesForm() && await(request, limit, then);
        }
        MultipartModel multipart = isOf(type, MULTIPART) ? form.multipart() : null;
        return multipart != null && await(request, within(multipart.maxRequestSize(), limit), then);
    }

    /**
     * The smaller one.
     *
     * @param limit negative: none
     */
    private static long within(long limit, long most) {
        return limit < 0 ? most : Math.min(limit, most);
    }

    private static boolean await(HttpServletRequestImpl request, long limit, Runnable then) {
        long length = request.exchange().request().contentLength();
        if (length > limit || !BodyPrefix.hasRoom()) {
            return false;
        }
        try {
            ExchangeInputStream stream = request.exchange().inputStream();
            int there = stream.available();
            if (length >= 0 && there >= length) {
                return false;
            }
            return new FormArrival(request, limit, then).begin(stream.readNBytes(there));
        } catch (IOException broken) {
            LOG.debugf(broken, "a form did not come");
            return false;
        }
    }

    private static boolean isOf(String type, String expected) {
        return type.regionMatches(true, 0, expected, 0, expected.length());
    }

    private boolean begin(byte[] first) {
        request.client().arrival(body);
        boolean there = isThere(first);
        if (there) {
            exchange.present(body);
        } else {
            request.async().watchEnd();
            suspend();
        }
        return !there;
    }

    /** On a worker. */
    private void goOn() {
        if (isThere(NOTHING)) {
            exchange.present(body);
            then.run();
        } else {
            suspend();
        }
    }

    private void suspend() {
        Suspension held = exchange.suspend(Duration.ZERO, never -> {});
        source.awaitReadable(() -> held.resume(resumed -> goOn()));
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
                    "a form did not come whole"); // whoever reads what came, and then the source, will find the same
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
