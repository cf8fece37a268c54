package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The header fields of a request's packet, and what they mean for the protocol. */
final class HeaderFields {

    private static final int MOST_DIGITS = 18;

    private final Headers headers = new Headers();
    private final int most;
    private @Nullable Refusal refusal;
    private @Nullable String host;
    private @Nullable String length;
    private boolean chunked;

    HeaderFields(int most) {
        this.most = most;
    }

    /** Reads all of them, even if they are to be refused: what follows is needed to know who asks. */
    void read(PacketFields in) throws BadPacketException {
        int count = in.number();
        for (int i = 0; i < count; i++) {
            String name = name(in);
            String value = in.textOrEmpty();
            if (i >= most) {
                refuse(Refusal.TOO_MANY_FIELDS);
            } else {
                add(name, value);
            }
        }
        if (chunked && length != null) {
            refuse(Refusal.BAD_LENGTH);
        }
    }

    Headers headers() {
        return headers;
    }

    /** Why they are refused; null if they are not. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** Null if there is none, or an empty one. */
    @Nullable
    String host() {
        return host;
    }

    /** -1 if it was not announced: then only its end will tell, and there may be none. */
    long contentLength() {
        return length == null ? -1 : Long.parseLong(length);
    }

    private static String name(PacketFields in) throws BadPacketException {
        int length = in.number();
        if ((length & 0xff00) != Codes.CODED) {
            String name = in.text(length);
            return name == null ? "" : name;
        }
        String name = Codes.requestField(length & 0xff);
        if (name == null) {
            throw new BadPacketException(Defect.FIELD);
        }
        return name;
    }

    private void add(String name, String value) {
        if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
            refuse(Refusal.BAD_FIELD);
            return;
        }
        headers.add(name, value);
        switch (name.length()) {
            case 4 -> {
                if (name.equalsIgnoreCase("host")) {
                    noteHost(value);
                }
            }
            case 14 -> {
                if (name.equalsIgnoreCase("content-length")) {
                    noteLength(value.strip());
                }
            }
            case 17 -> chunked |= name.equalsIgnoreCase("transfer-encoding");
            default -> {}
        }
    }

    private void noteHost(String value) {
        if (host != null && !host.equals(value)) {
            refuse(Refusal.BAD_HOST);
        }
        host = value.isEmpty() ? null : value;
    }

    private void noteLength(String value) {
        boolean number = !value.isEmpty()
                && value.length() <= MOST_DIGITS
                && value.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || length != null && !Objects.equals(length, value)) {
            refuse(Refusal.BAD_LENGTH);
        } else {
            length = value;
        }
    }

    private void refuse(Refusal why) {
        refusal = refusal == null || why.isClosing() ? why : refusal;
    }
}
