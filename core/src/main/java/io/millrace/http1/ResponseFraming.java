package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http.Tokens;
import io.millrace.protocol.serial.Input;
import io.millrace.settings.Settings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The framing of a response (RFC 9112, 6.3 and 9). A client that interprets it differently from the server may deliver one
 * user's response to another; ambiguous framing is therefore rejected.
 *
 * @param length the length of the body in bytes; 0 if there is none, -1 if it is chunked, -2 if it ends with the connection
 * @param announced the Content-Length, also if no body follows (HEAD, 304); -1 if it is missing
 * @param persistent whether the server allows another request on the connection
 */
record ResponseFraming(long length, long announced, boolean persistent) {

    private static final int MAX_DIGITS = 18;
    private static final long CHUNKED = -1;
    private static final long UNTIL_CLOSE = -2;
    private static final long INVALID = -3;

    /** The framing of a final response; null if it is rejected. */
    static @Nullable ResponseFraming of(String method, ResponseHead head, boolean old) {
        Headers fields = head.headers();
        List<String> lengths = fields.all("Content-Length");
        List<String> codings = fields.all("Transfer-Encoding");
        long announced = announced(lengths);
        boolean chunked = codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
        boolean bad = announced == INVALID || !codings.isEmpty() && (!chunked || old || !lengths.isEmpty());
        boolean bodiless = Status.isBodiless(head.status());
        if (bodiless && (bad || chunked) || head.status() == Status.NO_CONTENT && announced > 0) {
            // there is no body whatever the fields say (6.3, rule 1); in case the server thinks otherwise, nothing more
            // is read
            return new ResponseFraming(0, -1, false);
        }
        if (bad) {
            return null;
        }
        long length = bodiless || method.equals(Method.HEAD)
                ? 0
                : chunked ? CHUNKED : announced < 0 ? UNTIL_CLOSE : announced;
        return new ResponseFraming(length, announced, length != UNTIL_CLOSE && isKept(fields, old));
    }

    /** RFC 9112, 9.3. */
    private static boolean isKept(Headers fields, boolean old) {
        List<String> options = fields.all("Connection");
        boolean close = Tokens.contains(options, "close");
        return !close && (!old || Tokens.contains(options, "keep-alive"));
    }

    /** The length; -1 if there is none. Repeating it is valid (RFC 9112, 6.3, rule 5). */
    private static long announced(List<String> lengths) {
        long announced = -1;
        for (String list : lengths) {
            for (String each : list.split(",", -1)) {
                long length = number(each.strip());
                if (length < 0 || announced >= 0 && length != announced) {
                    return INVALID;
                }
                announced = length;
            }
        }
        return announced;
    }

    /** The value of the digits; -1 if they are not a number. */
    private static long number(String digits) {
        if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    BodyDecoder body(Input input, Settings options) {
        if (length == 0) {
            return NoBody.NO_BODY;
        }
        if (length == CHUNKED) {
            return new ChunkedBody(input, options);
        }
        return length == UNTIL_CLOSE ? new UnframedBody(input) : new FixedBody(input, length);
    }
}
