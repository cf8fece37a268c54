package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The framing of one response: encodes the head, and determines whether there is a body and whether it has its announced length.
 * Confined to the exchange's owner.
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

    /** Octets announced and not sent yet; -1 if none were announced. */
    private long left = -1;

    AjpResponseWriter(AjpProtocol protocol, String method) {
        this.protocol = protocol;
        this.method = method;
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** Whether the body has ended before its announced length, so that the front end must not take it for complete. */
    boolean isCutOff() {
        return left > 0;
    }

    /** Whether the response has no body, even if the application writes one. */
    boolean isBodiless() {
        return bodiless;
    }

    /** Begins the next piece of the response. Returns the packet before its data, or null if there is none. */
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
            if (!isFraming(headers.name(i))) {
                encoder.field(headers.name(i), headers.value(i));
            }
        }
        long length = announcedLength(head, firstBytes, last);
        if (length >= 0) {
            encoder.field("Content-Length", Long.toString(length));
        }
        int maxSize = protocol.options().get(PACKET_SIZE);
        if (encoder.size() > maxSize) {
            protocol.log().headTooLarge(encoder.size(), maxSize);
            return replacement(head);
        }
        return encoder.end();
    }

    /** A head with status 500 and no body, which fits into a packet. */
    private ByteBuffer replacement(ResponseHead head) {
        int status = Status.INTERNAL_SERVER_ERROR;
        head.status(status); // for the access log
        bodiless = true;
        left = -1;
        ResponseEncoder encoder = new ResponseEncoder(OWN_FIELDS, status, Status.reason(status));
        encoder.field("Content-Length", "0");
        return encoder.end();
    }

    /** Determines whether there is a body, and its length. Returns the Content-Length; -1 for none. */
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
            return length > 0 || head.contentLength() == 0 ? length : -1; // the application may have omitted the body
        }
        left = length;
        return length;
    }

    /** Whether the field is set here, or by the front end. */
    private static boolean isFraming(String name) {
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
