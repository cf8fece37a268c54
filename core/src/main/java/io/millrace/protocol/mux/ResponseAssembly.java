package io.millrace.protocol.mux;

import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Makes a response's head of the fields of a stream's header block, as strictly as HTTP/1.1 is read: what can be understood in two
 * ways is refused. The protocol has checked names and values by themselves. For one head, and one thread.
 */
public final class ResponseAssembly {

    private static final int MAX_DIGITS = 18;

    private final ResponseHead head = new ResponseHead();
    private final int maxCount;
    private int count;
    private boolean hasStatus;
    private @Nullable String error;

    /** Of no fields yet. */
    public ResponseAssembly(Settings options) {
        maxCount = options.get(ProtocolOptions.MAX_HEADER_COUNT);
    }

    /** Three digits, once. */
    public void status(String digits) {
        boolean valid = digits.length() == 3
                && digits.charAt(0) >= '1'
                && digits.charAt(0) <= '9'
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (hasStatus || !valid) {
            wrong(hasStatus ? "a status twice" : "a status that has not three digits");
            return;
        }
        hasStatus = true;
        head.status(Integer.parseInt(digits));
    }

    /** One of the fields. */
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
        if (!valid || head.contentLength() >= 0) {
            wrong(valid ? "a Content-Length twice" : "a Content-Length that is not a number");
            return;
        }
        head.contentLength(Long.parseLong(digits));
    }

    /** Something is wrong; what was found first counts. */
    public void wrong(String found) {
        error = error == null ? found : error;
    }

    /** What is wrong with the whole of it; null if nothing is. To be asked once all of it was told. */
    public @Nullable String check(boolean end) {
        if (!hasStatus) {
            wrong("a response without a status");
        } else if (head.status() < 200 && end) {
            wrong("an interim response that ends its stream");
        } else if (head.status() == Status.NO_CONTENT && head.contentLength() > 0) {
            wrong("a response without content that announces some");
        }
        return error;
    }

    /** Unless something is wrong. Its length is not among its fields. */
    public ResponseHead head() {
        return head;
    }
}
