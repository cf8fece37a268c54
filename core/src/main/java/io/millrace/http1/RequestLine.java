package io.millrace.http1;

import io.millrace.http.HttpVersion;
import io.millrace.http.TargetOctets;
import io.millrace.protocol.RequestFault;
import org.jspecify.annotations.Nullable;

/**
 * Parses a request line (RFC 9112, 3) and determines the positions of its parts. Input may be split at any byte. A few empty
 * lines before it are skipped (2.2).
 */
final class RequestLine {

    private static final int MAX_EMPTY_LINES = 4;

    /** The template of a version: any digits are accepted in place of 1. */
    private static final byte[] VERSION = Octets.ascii("HTTP/1.1\r\n");

    private static final int MAJOR = 5;
    private static final int MINOR = 7;
    private static final int CARRIAGE_RETURN = 8;

    private enum State {
        START,
        EMPTY_LINE_FEED,
        METHOD,
        TARGET,
        QUERY,
        VERSION
    }

    private final Window window;
    private final TargetOctets octets;

    private State state = State.START;
    private @Nullable RequestFault refusal;
    private int emptyLines;
    private int methodEnd;
    private int targetStart;
    private int questionMark;
    private int targetEnd;
    private int versionStart;

    RequestLine(Window window, TargetOctets octets) {
        this.window = window;
        this.octets = octets;
    }

    /** Continues at the window's position. */
    Parsing parse() {
        Parsing progress = Parsing.NEED_MORE;
        while (progress == Parsing.NEED_MORE && window.position < window.limit) {
            progress = switch (state) {
                case START -> start();
                case EMPTY_LINE_FEED -> emptyLineFeed();
                case METHOD -> readMethod();
                case TARGET -> readTarget();
                case QUERY -> readQuery();
                case VERSION -> readVersion();
            };
        }
        return progress;
    }

    /** Why the line was rejected, after REFUSED. */
    RequestFault refusal() {
        return refusal == null ? RequestFault.BAD_TARGET : refusal;
    }

    /** Whether nothing, or only empty lines, were received. */
    boolean isEmpty() {
        return state == State.START || state == State.EMPTY_LINE_FEED;
    }

    /** Whether at least one empty line was received, and nothing else. */
    boolean isBehindEmptyLine() {
        return isEmpty() && emptyLines > 0;
    }

    int methodEnd() {
        return methodEnd;
    }

    int targetStart() {
        return targetStart;
    }

    /** The index of the first question mark, or the end of the target. */
    int questionMark() {
        return questionMark;
    }

    int targetEnd() {
        return targetEnd;
    }

    HttpVersion version() {
        return window.bytes[versionStart + MINOR] == '0' ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
    }

    private Parsing start() {
        byte first = window.bytes[window.position];
        if (first == Octets.CR) {
            window.position++;
            state = State.EMPTY_LINE_FEED;
            return ++emptyLines > MAX_EMPTY_LINES ? refuse(RequestFault.TOO_MANY_EMPTY_LINES) : Parsing.NEED_MORE;
        }
        state = State.METHOD;
        return first == Octets.LF ? refuse(RequestFault.BARE_LF) : Parsing.NEED_MORE;
    }

    private Parsing emptyLineFeed() {
        if (window.bytes[window.position] != Octets.LF) {
            return refuse(RequestFault.BARE_CR);
        }
        window.position++;
        window.skip();
        state = State.START;
        return Parsing.NEED_MORE;
    }

    private Parsing readMethod() {
        byte[] bytes = window.bytes;
        int limit = window.limit;
        int at = window.position;
        while (at < limit && Octets.TOKEN_LOWER[bytes[at] & 0xff] != 0) {
            at++;
        }
        window.position = at;
        if (at == limit) {
            return Parsing.NEED_MORE;
        }
        if (bytes[at] != ' ' || at == window.start) {
            return refuse(RequestFault.BAD_METHOD);
        }
        methodEnd = at;
        targetStart = at + 1;
        window.position = at + 1;
        state = State.TARGET;
        return Parsing.NEED_MORE;
    }

    private Parsing readTarget() {
        byte[] bytes = window.bytes;
        boolean[] allowed = octets.path();
        int limit = window.limit;
        int at = window.position;
        while (at < limit && (allowed[bytes[at] & 0xff] || isBracket(bytes, at))) {
            at++;
        }
        window.position = at;
        if (at < limit && bytes[at] == '?') {
            questionMark = at;
            window.position = at + 1;
            state = State.QUERY;
            return Parsing.NEED_MORE;
        }
        questionMark = at;
        return at == limit ? Parsing.NEED_MORE : endTarget(at);
    }

    /** An IPv6 address in an absolute-form or authority-form target is in brackets. */
    private boolean isBracket(byte[] bytes, int at) {
        return (bytes[at] == '[' || bytes[at] == ']') && bytes[targetStart] != '/';
    }

    private Parsing readQuery() {
        byte[] bytes = window.bytes;
        boolean[] allowed = octets.query();
        int limit = window.limit;
        int at = window.position;
        while (at < limit && allowed[bytes[at] & 0xff]) {
            at++;
        }
        window.position = at;
        return at == limit ? Parsing.NEED_MORE : endTarget(at);
    }

    private Parsing endTarget(int at) {
        if (window.bytes[at] != ' ' || at == targetStart) {
            return refuse(window.bytes[at] == Octets.CR ? RequestFault.BAD_VERSION : RequestFault.BAD_TARGET);
        }
        targetEnd = at;
        versionStart = at + 1;
        window.position = at + 1;
        state = State.VERSION;
        return Parsing.NEED_MORE;
    }

    private Parsing readVersion() {
        byte[] bytes = window.bytes;
        while (window.position < window.limit) {
            int i = window.position - versionStart;
            byte octet = bytes[window.position];
            boolean right = i == MAJOR || i == MINOR ? octet >= '0' && octet <= '9' : octet == VERSION[i];
            if (!right) {
                return refuse(whyBadVersion(i, octet));
            }
            window.position++;
            if (i == VERSION.length - 1) {
                return bytes[versionStart + MAJOR] == '1' ? Parsing.COMPLETE : refuse(RequestFault.UNSUPPORTED_VERSION);
            }
        }
        return Parsing.NEED_MORE;
    }

    private static RequestFault whyBadVersion(int i, byte octet) {
        if (i < CARRIAGE_RETURN) {
            return RequestFault.BAD_VERSION;
        }
        if (i == CARRIAGE_RETURN) {
            return octet == Octets.LF ? RequestFault.BARE_LF : RequestFault.BAD_VERSION;
        }
        return RequestFault.BARE_CR;
    }

    private Parsing refuse(RequestFault why) {
        refusal = why;
        return Parsing.REFUSED;
    }
}
