package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one response is: its head as a packet, whether it has a body, and whether that is as long as announced. For the
 * exchange's owner.
 *
 * <pre>
 * OPEN ──head──▶ STREAMING ──last──▶ FINISHED
 * </pre>
 */
final class AjpResponseWriter {

    private static final int OWN_FIELDS = 80;
    private static final int PER_FIELD = 6;

    private enum State {
        OPEN,
        STREAMING,
        FINISHED
    }

    private final AjpProtocol protocol;
    private final String method;
    private State state = State.OPEN;
    private boolean bodiless;

    /** Announced and not sent; -1: not announced. */
    private long left = -1;

    AjpResponseWriter(AjpProtocol protocol, String method) {
        this.protocol = protocol;
        this.method = method;
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** Did the body end before its announced length? Then the front end must not think that it is whole. */
    boolean isCutOff() {
        return left > 0;
    }

    /** No body is sent, whatever the application writes. */
    boolean isBodiless() {
        return bodiless;
    }

    /** The next piece: what comes before its body, or null if nothing does. */
    @Nullable
    ByteBuffer begin(@Nullable ResponseHead head, long size, boolean last) {
        if (state == State.FINISHED || (head == null) == (state == State.OPEN)) {
            throw new IllegalStateException(
                    head == null ? "no head was sent before; " + state : "a second head was sent; " + state);
        }
        ByteBuffer packet = head == null ? null : encode(head, size, last);
        state = last ? State.FINISHED : State.STREAMING;
        if (!bodiless && left >= 0) {
            left -= size;
            if (left < 0) {
                throw new IllegalStateException(
                        "the body has " + -left + " bytes more than the Content-Length that was sent");
            }
        }
        return packet;
    }

    private ByteBuffer encode(ResponseHead head, long firstBytes, boolean last) {
        Headers headers = head.headers();
        String reason = head.reason();
        ResponseEncoder encoder = new ResponseEncoder(
                size(headers), head.status(), reason == null ? Status.reason(head.status()) : reason);
        for (int i = 0; i < headers.size(); i++) {
            if (!isOurs(headers.name(i))) {
                encoder.field(headers.name(i), headers.value(i));
            }
        }
        long length = announcedLength(head, firstBytes, last);
        if (length >= 0) {
            encoder.field("Content-Length", Long.toString(length));
        }
        int most = protocol.options().get(PACKET_SIZE);
        if (encoder.size() > most) {
            protocol.log().headTooLarge(encoder.size(), most);
            return instead(head);
        }
        return encoder.end();
    }

    /** What the front end takes; and nobody would know why there is nothing else. */
    private ByteBuffer instead(ResponseHead head) {
        int status = Status.INTERNAL_SERVER_ERROR;
        head.status(status); // for the access log
        bodiless = true;
        left = -1;
        ResponseEncoder encoder = new ResponseEncoder(OWN_FIELDS, status, Status.reason(status));
        encoder.field("Content-Length", "0");
        return encoder.end();
    }

    /** -1 for none. Decides whether there is a body, and how long it must be. */
    private long announcedLength(ResponseHead head, long firstBytes, boolean last) {
        long length = head.contentLength() >= 0 || !last ? head.contentLength() : firstBytes;
        if (head.status() == Status.RESET_CONTENT) {
            bodiless = true; // RFC 9110, 15.3.6
            return 0;
        }
        if (Status.isBodiless(head.status())) {
            bodiless = true;
            return head.status() == Status.NOT_MODIFIED ? head.contentLength() : -1;
        }
        if (method.equals(Method.HEAD)) {
            bodiless = true;
            return length > 0 || head.contentLength() == 0 ? length : -1; // an empty body may have been left out
        }
        left = length;
        return length;
    }

    /** Decided here, or between the front end and the client. */
    private static boolean isOurs(String name) {
        return switch (name.length()) {
            case 10 -> name.equalsIgnoreCase("Connection");
            case 14 -> name.equalsIgnoreCase("Content-Length");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            default -> false;
        };
    }

    private static int size(Headers headers) {
        return OWN_FIELDS + headers.characters() + PER_FIELD * headers.size();
    }
}
