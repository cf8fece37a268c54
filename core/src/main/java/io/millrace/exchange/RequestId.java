package io.millrace.exchange;

import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The id of a request, and its place in a trace (W3C Trace Context, level 1), by which the log lines of all servers that it passes
 * are found. Made for each request if {@code requestId} of its connector is on; taken over from the fields {@code X-Request-Id}
 * and {@code traceparent} if a trusted front end sent them. Thread-safe.
 */
public final class RequestId {

    /** The field of requests and responses with the id. */
    public static final String FIELD = "X-Request-Id";

    /** The field with the trace: {@code 00-TRACE-PARENT-FLAGS}. */
    public static final String TRACE_FIELD = "traceparent";

    /** The field with what vendors add to a trace; worthless without it. */
    public static final String TRACE_STATE_FIELD = "tracestate";

    /** The request attribute of servlets, and the name in access logs, of the id. */
    public static final String ATTRIBUTE = "io.millrace.requestId";

    /** The request attribute of servlets, and the name in access logs, of the id of the trace. */
    public static final String TRACE_ATTRIBUTE = "io.millrace.traceId";

    private static final int MAX_LENGTH = 64;
    private static final byte[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** Enough, with 5 bits each, for a day's requests of a large site to differ. */
    private static final int LENGTH = 16;

    private static final int TRACE_AT = 3;
    private static final int PARENT_AT = 36;
    private static final int FLAGS_AT = 53;
    private static final int TRACE_LENGTH = 55;
    private static final int SPAN_LENGTH = 16;

    /** Not sampled: this server records no spans. */
    private static final byte[] NEW_TRACE = ("00-" + "0".repeat(2 * SPAN_LENGTH) + "-" + "0".repeat(SPAN_LENGTH)
                    + "-00")
            .getBytes(StandardCharsets.US_ASCII);

    private static final AttributeKey<RequestId> KEY = AttributeKey.of("request id", RequestId.class);

    private static final ThreadLocal<@Nullable RequestId> CURRENT = new ThreadLocal<>();

    private @Nullable String id;
    /** The field as this server sends it: its parent is this server. */
    private @Nullable String trace;

    private boolean continued;

    RequestId() {}

    /** The id of an exchange's request; null unless its connector gives ids. Used by the owner of the exchange. */
    public static @Nullable RequestId of(HttpExchange exchange) {
        return exchange.attribute(KEY);
    }

    /** The id of an exchange's request, which is given one unless its connector gives ids. Used by the owner of the exchange. */
    public static RequestId require(HttpExchange exchange) {
        RequestId known = of(exchange);
        return known == null ? give(exchange.attributes()) : known;
    }

    /** A new id, which is that of an exchange from now on. */
    static RequestId give(Attributes attributes) {
        RequestId id = new RequestId();
        attributes.put(KEY, id);
        return id;
    }

    /** The id that a response to a refused request has; null if it has none. */
    public static @Nullable RequestId in(Headers response) {
        if (!response.contains(FIELD)) {
            return null;
        }
        RequestId id = new RequestId();
        id.take(response);
        return id;
    }

    /** Adds its fields to a response. */
    void addTo(Headers response) {
        response.set(FIELD, value());
        response.set(TRACE_FIELD, traceparent());
    }

    /** The id of the request that the current thread works for; null if there is none, or if it has no id. */
    public static @Nullable RequestId current() {
        return CURRENT.get();
    }

    /**
     * Makes this the current one of the thread. The caller must set the previous one again, in {@code finally}.
     *
     * @param id null for none
     * @return the previous one
     */
    public static @Nullable RequestId enter(@Nullable RequestId id) {
        RequestId before = CURRENT.get();
        CURRENT.set(id);
        return before;
    }

    /** A task that runs, on whichever thread, as a part of this request. */
    public Runnable carriedBy(Runnable task) {
        return () -> {
            RequestId before = enter(this);
            try {
                task.run();
            } finally {
                enter(before);
            }
        };
    }

    /** Takes over the ids that a trusted front end sent, as far as they are well-formed; others are ignored. */
    public synchronized void take(Headers received) {
        List<String> ids = received.all(FIELD);
        if (ids.size() == 1 && isValid(ids.get(0))) {
            id = ids.get(0);
        }
        List<String> traces = received.all(TRACE_FIELD);
        if (!continued && traces.size() == 1 && isValidTrace(traces.get(0))) {
            String sent = traces.get(0);
            trace = "00" + sent.substring(2, PARENT_AT) + span() + sent.substring(FLAGS_AT - 1, TRACE_LENGTH);
            continued = true;
        }
    }

    /** The id: 1 to 64 letters, digits, dots, underscores and dashes. */
    public synchronized String value() {
        String made = id;
        if (made == null) {
            made = random();
            id = made;
        }
        return made;
    }

    /** The id of the trace: 32 hexadecimal digits. */
    public String traceId() {
        return traceparent().substring(TRACE_AT, PARENT_AT - 1);
    }

    /** The field {@code traceparent} for responses: its parent is this server. */
    public synchronized String traceparent() {
        String made = trace;
        if (made == null) {
            made = newTrace();
            trace = made;
        }
        return made;
    }

    /** The field {@code traceparent} for a request to a backend: a hop of its own in the same trace. */
    public String nextTraceparent() {
        String own = traceparent();
        return own.substring(0, PARENT_AT) + span() + own.substring(FLAGS_AT - 1);
    }

    /** Whether the trace began at another server, so that the request's {@code tracestate} belongs to it. */
    public synchronized boolean isContinued() {
        return continued;
    }

    /** Made for each request, so without intermediate strings. */
    private static String newTrace() {
        byte[] text = NEW_TRACE.clone();
        hex(text, TRACE_AT);
        hex(text, TRACE_AT + SPAN_LENGTH);
        hex(text, PARENT_AT);
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** Sixteen hexadecimal digits that are not all zero. */
    private static String span() {
        byte[] text = new byte[SPAN_LENGTH];
        hex(text, 0);
        return new String(text, StandardCharsets.US_ASCII);
    }

    private static void hex(byte[] text, int at) {
        long random = ThreadLocalRandom.current().nextLong();
        long bits = random == 0 ? 1 : random;
        for (int i = at; i < at + SPAN_LENGTH; i++) {
            text[i] = HEX[(int) bits & 15];
            bits >>>= 4;
        }
    }

    private static String random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] text = new byte[LENGTH];
        long bits = 0;
        for (int i = 0; i < LENGTH; i++) {
            bits = i % 8 == 0 ? random.nextLong() : bits >>> 5;
            text[i] = DIGITS[(int) bits & 31];
        }
        return new String(text, StandardCharsets.US_ASCII);
    }

    private static boolean isValid(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_LENGTH;
    }

    /** Whether the field can be continued (Trace Context, 3.2.2 and 4.3): later versions may append to it. */
    private static boolean isValidTrace(String text) {
        if (text.length() < TRACE_LENGTH
                || !isHex(text, 0, 2)
                || text.startsWith("ff")
                || text.startsWith("00") && text.length() > TRACE_LENGTH
                || text.length() > TRACE_LENGTH && text.charAt(TRACE_LENGTH) != '-') {
            return false;
        }
        return text.charAt(TRACE_AT - 1) == '-'
                && text.charAt(PARENT_AT - 1) == '-'
                && text.charAt(FLAGS_AT - 1) == '-'
                && isHex(text, TRACE_AT, PARENT_AT - 1)
                && isHex(text, PARENT_AT, FLAGS_AT - 1)
                && isHex(text, FLAGS_AT, TRACE_LENGTH)
                && !isZero(text, TRACE_AT, PARENT_AT - 1)
                && !isZero(text, PARENT_AT, FLAGS_AT - 1);
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }
}
