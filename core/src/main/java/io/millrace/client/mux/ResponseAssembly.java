package io.millrace.client.mux;

import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a response's head from a header block, as strictly as for HTTP/1.1: ambiguous heads are rejected. The protocol
 * has validated the syntax of names and values. Used for one head, by one thread.
 */
public final class ResponseAssembly {

    private static final int MAX_DIGITS = 18;

    private final ResponseHead head = new ResponseHead();
    private final int maxCount;
    private int count;
    private boolean hasStatus;
    private @Nullable String error;

    /** A head without fields. */
    public ResponseAssembly(Settings options) {
        maxCount = options.get(ProtocolOptions.MAX_HEADER_COUNT);
    }

    /** Sets the status: three digits, once. */
    public void status(String digits) {
        boolean valid = digits.length() == 3
                && digits.charAt(0) >= '1'
                && digits.charAt(0) <= '9'
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (hasStatus || !valid) {
            wrong(hasStatus ? "more than one status" : "a status that is not three digits");
            return;
        }
        hasStatus = true;
        head.status(Integer.parseInt(digits));
    }

    /** Adds a field. */
    public void field(String name, String value) {
        if (maxCount >= 0 && ++count > maxCount) {
            wrong("more than " + maxCount + " header fields; to allow more, raise maxHeaderCount");
        } else if (name.equalsIgnoreCase("content-length")) {
            length(value);
        } else {
            head.headers().add(name, value);
        }
    }

    private void length(String digits) {
        boolean valid = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        long length = valid ? Long.parseLong(digits) : -1;
        if (!valid || head.contentLength() >= 0 && head.contentLength() != length) {
            wrong(valid ? "different Content-Lengths" : "a Content-Length that is not a number");
            return;
        }
        head.contentLength(length);
    }

    /** Records a violation; only the first one counts. */
    public void wrong(String found) {
        error = error == null ? found : error;
    }

    /** The violation in the head; null if there is none. Called after all fields were added. */
    public @Nullable String check(boolean end) {
        if (!hasStatus) {
            wrong("a response without a status");
        } else if (head.status() < 200 && end) {
            wrong("an interim response that ends its stream");
        } else if (head.status() == Status.NO_CONTENT && head.contentLength() > 0) {
            head.contentLength(-1); // there is no body whatever the field says (RFC 9110, 8.6)
        }
        return error;
    }

    /** The head, if there is no violation. Content-Length is not among its fields, but in {@code contentLength()}. */
    public ResponseHead head() {
        return head;
    }
}
