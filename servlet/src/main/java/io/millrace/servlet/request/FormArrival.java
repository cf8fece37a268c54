package io.millrace.servlet.request;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.ExchangeInputStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.servlet.form.BodySpool;
import io.millrace.servlet.form.FormLimits;
import io.millrace.servlet.form.FormSource;
import io.millrace.servlet.model.MultipartModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * The coming of a form's body before its servlet is called. {@code getParts} and {@code getParameter} must wait for the
 * client, since they answer at once; so a slow client would hold a worker as long as it likes. Here nobody waits: the request is
 * suspended until its body is there. The application reads the same bytes as if they had come late, by whichever method.
 *
 * <p>Not waited for are clients that wait themselves, for {@code 100 Continue}, and what is larger than the application
 * takes. Whatever goes wrong is found out by who reads.
 */
public final class FormArrival {

    /** For the whole server: each may have an open file. Beyond that a worker waits, as it would without this. */
    private static final int MOST = 1000;

    private static final Semaphore PLACES = new Semaphore(MOST);
    private static final Logger LOG = Logger.getLogger(FormArrival.class);
    private static final byte[] NOTHING = {};
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";

    private final HttpServletRequestImpl request;
    private final HttpExchange exchange;
    private final Runnable then;
    private final BodySource source;
    private final BodySpool spool;
    private final long limit;
    private boolean closed;

    private FormArrival(HttpServletRequestImpl request, Path directory, long limit, Runnable then) {
        this.request = request;
        this.exchange = request.exchange();
        this.then = then;
        this.limit = limit;
        source = exchange.input();
        spool = new BodySpool(source, directory);
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
        FormLimits limits = request.connector().forms();
        MultipartModel multipart = isOf(type, MULTIPART) ? form.multipart() : null;
        if (multipart != null) {
            Path directory = form.temporaryDirectory().resolve(multipart.location());
            return await(request, directory, limit(multipart, limits), then);
        }
        return isOf(type, FORM)
                && form.takesForm()
                && await(request, form.temporaryDirectory(), limits.maxPostSize(), then);
    }

    /** What the application takes of one upload at least; more may come to a servlet that has been called. */
    private static long limit(MultipartModel multipart, FormLimits limits) {
        if (multipart.maxRequestSize() >= 0 || multipart.maxFileSize() < 0) {
            return multipart.maxRequestSize();
        }
        return multipart.maxFileSize() + Math.max(0, limits.maxPostSize());
    }

    private static boolean await(HttpServletRequestImpl request, Path directory, long limit, Runnable then) {
        long length = request.exchange().request().contentLength();
        if (limit >= 0 && length > limit) {
            return false;
        }
        try {
            ExchangeInputStream stream = request.exchange().inputStream();
            int there = stream.available();
            if (length >= 0 && there >= length || !PLACES.tryAcquire()) {
                return false;
            }
            return new FormArrival(request, directory, limit, then).begin(stream.readNBytes(there));
        } catch (IOException broken) {
            LOG.debugf(broken, "a form did not come");
            return false;
        }
    }

    private static boolean isOf(String type, String expected) {
        return type.regionMatches(true, 0, expected, 0, expected.length());
    }

    private boolean begin(byte[] first) {
        request.client().arrival(this);
        boolean there = isThere(first);
        if (there) {
            exchange.present(spool);
        } else {
            request.async().watchEnd();
            suspend();
        }
        return !there;
    }

    /** On a worker. */
    private void goOn() {
        if (isThere(NOTHING)) {
            exchange.present(spool);
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
        try {
            spool.append(ByteBuffer.wrap(first));
            while (limit < 0 || spool.size() <= limit) {
                Chunk chunk = source.read();
                if (chunk == null) {
                    return false;
                }
                if (chunk.isEnd()) {
                    return true;
                }
                keep(chunk);
            }
        } catch (IOException broken) {
            LOG.debugf(broken, "a form did not come whole"); // whoever reads, from spool and source, will find the same
        }
        return true;
    }

    private void keep(Chunk chunk) throws IOException {
        try {
            spool.append(chunk.bytes());
        } finally {
            chunk.release();
        }
    }

    /** The request is over. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        PLACES.release();
        try {
            spool.close();
        } catch (IOException e) {
            LOG.debugf(e, "a form's temporary file was not deleted");
        }
    }
}
