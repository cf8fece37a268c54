package io.millrace.http1;

import static io.millrace.http1.Http1Options.REJECT_ILLEGAL_HEADER;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;

import io.millrace.http.Headers;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Parses field lines of a head or a trailer section up to the empty line (RFC 9112, 5). Input may be split at any byte.
 * Strict: no folding, lines end in CR LF, and no white space before the colon, except in the head of a response, where it is removed
 * (5.1) unless the field concerns framing, which another recipient may then read differently.
 */
final class FieldParser {

    private enum State {
        LINE_START,
        NAME,
        NAME_SPACE,
        VALUE_START,
        VALUE,
        LINE_FEED,
        LEFT_OUT,
        LEFT_OUT_LINE_FEED,
        LAST_LINE_FEED
    }

    private final Window window;
    private final Headers headers;
    private final Settings options;
    private final boolean spaceBeforeColon;
    private final @Nullable Framing framing;
    private final @Nullable Http1Rules known;

    private State state = State.LINE_START;
    private @Nullable RequestFault refusal;
    private int nameStart;
    private int nameEnd;
    private int hash;
    private int valueStart;

    /**
     * A parser at the start of the first line.
     *
     * @param options the limit of the number of fields, and whether an invalid one is rejected or ignored
     */
    FieldParser(Window window, Headers headers, Settings options) {
        this(window, headers, options, null, null, false);
    }

    /**
     * A parser of a request's fields, at the start of the first line.
     *
     * @param rules also has the values that most requests repeat
     * @param framing receives the fields that concern the protocol itself
     */
    FieldParser(Window window, Http1Rules rules, Framing framing) {
        this(window, framing.request().headers(), rules.options(), framing, rules, false);
    }

    private FieldParser(
            Window window,
            Headers headers,
            Settings options,
            @Nullable Framing framing,
            @Nullable Http1Rules known,
            boolean spaceBeforeColon) {
        this.window = window;
        this.headers = headers;
        this.options = options;
        this.framing = framing;
        this.known = known;
        this.spaceBeforeColon = spaceBeforeColon;
    }

    /** A parser for the head of a response. */
    static FieldParser ofResponse(Window window, Headers headers, Settings options) {
        return new FieldParser(window, headers, options, null, null, true);
    }

    /** Continues at the window's position. */
    Parsing parse() {
        Parsing progress = Parsing.NEED_MORE;
        while (progress == Parsing.NEED_MORE && window.position < window.limit) {
            progress = switch (state) {
                case LINE_START -> lineStart();
                case NAME -> name();
                case NAME_SPACE -> nameSpace();
                case VALUE_START -> valueStart();
                case VALUE -> value();
                case LINE_FEED -> lineFeed();
                case LEFT_OUT -> leftOut();
                case LEFT_OUT_LINE_FEED -> leftOutLineFeed();
                case LAST_LINE_FEED -> lastLineFeed();
            };
        }
        return progress;
    }

    /** Why the fields were rejected, after REFUSED. */
    RequestFault refusal() {
        return refusal == null ? RequestFault.BAD_FIELD_VALUE : refusal;
    }

    private Parsing lineStart() {
        byte first = window.bytes[window.position];
        if (first == Octets.CR) {
            return next(State.LAST_LINE_FEED);
        }
        if (first == ' ' || first == '\t') {
            return refuse(RequestFault.FOLDED_FIELD);
        }
        if (first == Octets.LF) {
            return refuse(RequestFault.BARE_LF);
        }
        if (headers.size() == options.get(MAX_HEADER_COUNT)) {
            return refuse(framing == null ? RequestFault.TOO_MANY_TRAILERS : RequestFault.TOO_MANY_FIELDS);
        }
        nameStart = window.position;
        hash = 0;
        state = State.NAME;
        return Parsing.NEED_MORE;
    }

    private Parsing name() {
        byte[] bytes = window.bytes;
        int limit = window.limit;
        int at = window.position;
        int sum = hash;
        byte lower;
        while (at < limit && (lower = Octets.TOKEN_LOWER[bytes[at] & 0xff]) != 0) {
            sum = 31 * sum + lower;
            at++;
        }
        window.position = at;
        hash = sum;
        if (at == limit) {
            return Parsing.NEED_MORE;
        }
        boolean space = spaceBeforeColon && (bytes[at] == ' ' || bytes[at] == '\t');
        if (bytes[at] != ':' && !space || at == nameStart) {
            return malformed(at, RequestFault.BAD_FIELD_NAME);
        }
        nameEnd = at;
        return next(space ? State.NAME_SPACE : State.VALUE_START);
    }

    private Parsing nameSpace() {
        byte octet = window.bytes[window.position];
        if (octet == ' ' || octet == '\t') {
            return next(State.NAME_SPACE);
        }
        return octet == ':' && !concernsProtocol(nameEnd)
                ? next(State.VALUE_START)
                : malformed(nameEnd, RequestFault.BAD_FIELD_NAME);
    }

    private Parsing valueStart() {
        byte[] bytes = window.bytes;
        int at = window.position;
        while (at < window.limit && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        window.position = at;
        if (at < window.limit) {
            valueStart = at;
            state = State.VALUE;
        }
        return Parsing.NEED_MORE;
    }

    private Parsing value() {
        byte[] bytes = window.bytes;
        int limit = window.limit;
        int at = window.position;
        while (at < limit && Octets.FIELD_VALUE[bytes[at] & 0xff]) {
            at++;
        }
        window.position = at;
        if (at == limit) {
            return Parsing.NEED_MORE;
        }
        return switch (bytes[at]) {
            case Octets.CR -> next(State.LINE_FEED);
            case Octets.LF -> refuse(RequestFault.BARE_LF);
            default -> malformed(nameEnd, RequestFault.BAD_FIELD_VALUE);
        };
    }

    /** Ignores an invalid field if that is configured, but not one that a proxy may have used for framing or routing. */
    private Parsing malformed(int endOfName, RequestFault why) {
        if (options.get(REJECT_ILLEGAL_HEADER) || concernsProtocol(endOfName)) {
            return refuse(why);
        }
        state = State.LEFT_OUT;
        return Parsing.NEED_MORE;
    }

    private boolean concernsProtocol(int endOfName) {
        KnownField field = KnownField.find(window.bytes, nameStart, endOfName, hash);
        return field != null && field.role() != KnownField.Role.PLAIN;
    }

    private Parsing leftOut() {
        byte octet = window.bytes[window.position];
        return switch (octet) {
            case Octets.CR -> next(State.LEFT_OUT_LINE_FEED);
            case Octets.LF -> refuse(RequestFault.BARE_LF);
            default -> next(State.LEFT_OUT);
        };
    }

    private Parsing leftOutLineFeed() {
        return window.bytes[window.position] == Octets.LF ? next(State.LINE_START) : refuse(RequestFault.BARE_CR);
    }

    private Parsing lineFeed() {
        if (window.bytes[window.position] != Octets.LF) {
            return refuse(RequestFault.BARE_CR);
        }
        addField(window.position - 1);
        return next(State.LINE_START);
    }

    private Parsing lastLineFeed() {
        if (window.bytes[window.position] != Octets.LF) {
            return refuse(RequestFault.BARE_CR);
        }
        window.position++;
        return Parsing.COMPLETE;
    }

    private void addField(int lineEnd) {
        byte[] bytes = window.bytes;
        int end = lineEnd;
        while (end > valueStart && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
            end--;
        }
        KnownField field = KnownField.find(bytes, nameStart, nameEnd, hash);
        if (field == null) {
            headers.add(Octets.text(bytes, nameStart, nameEnd), Octets.text(bytes, valueStart, end));
            return;
        }
        String value = known != null && field.isRepeated()
                ? known.repeatedValue(bytes, valueStart, end)
                : Octets.text(bytes, valueStart, end);
        headers.add(field.spelling(bytes, nameStart, nameEnd), value);
        if (framing != null && field.role() != KnownField.Role.PLAIN) {
            framing.note(field.role(), value);
        }
    }

    private Parsing next(State following) {
        window.position++;
        state = following;
        return Parsing.NEED_MORE;
    }

    private Parsing refuse(RequestFault why) {
        refusal = why;
        return Parsing.REFUSED;
    }
}
