package io.millrace.http1;

/**
 * Parses a status line (RFC 9112, 4): {@code HTTP/1.1 101 Switching Protocols}. Input may be split at any byte. Strict:
 * HTTP/1.x, one space, three digits, a space before the reason, CR LF.
 */
final class StatusLine {

    /** Followed by the digit of the minor version, and a space. */
    private static final byte[] START = Octets.ascii("HTTP/1.");

    private static final int STATUS_AT = START.length + 2;
    private static final int REASON_AT = STATUS_AT + 4;

    private final Window window;
    private int status;
    private int end;
    private boolean lineFeed;

    /** A parser at the start of the line. */
    StatusLine(Window window) {
        this.window = window;
    }

    /** Continues at the window's position. */
    Parsing parse() {
        while (window.position < window.limit) {
            byte next = window.bytes[window.position];
            int index = window.position - window.start;
            if (lineFeed) {
                window.position++;
                return next == Octets.LF ? Parsing.COMPLETE : Parsing.REFUSED;
            }
            if (index >= STATUS_AT + 3 && next == Octets.CR) {
                lineFeed = true;
                end = index;
            } else if (!isPossible(index, next)) {
                return Parsing.REFUSED;
            }
            window.position++;
        }
        return Parsing.NEED_MORE;
    }

    private boolean isPossible(int index, byte octet) {
        if (index < START.length) {
            return octet == START[index];
        }
        if (index == STATUS_AT - 1 || index == REASON_AT - 1) {
            return octet == ' ';
        }
        if (index < REASON_AT) {
            return isDigit(index, octet);
        }
        return Octets.FIELD_VALUE[octet & 0xff];
    }

    private boolean isDigit(int index, byte octet) {
        if (octet < '0' || octet > '9') {
            return false;
        }
        if (index >= STATUS_AT) {
            status = 10 * status + octet - '0';
        }
        return index != STATUS_AT || octet != '0';
    }

    /** Whether the version is HTTP/1.0, in which connections are not persistent by default. Valid while the window holds the line. */
    boolean isOld() {
        return window.bytes[window.start + START.length] == '0';
    }

    int status() {
        return status;
    }

    /** The reason phrase, possibly empty. Valid while the window holds the line. */
    String reason() {
        return end <= REASON_AT ? "" : Octets.text(window.bytes, window.start + REASON_AT, window.start + end);
    }
}
