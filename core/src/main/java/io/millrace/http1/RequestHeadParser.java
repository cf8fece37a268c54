package io.millrace.http1;

import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;

import io.millrace.http.RequestHead;
import io.millrace.io.Delays;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Parses request heads, one after the other, from input split at any byte. Exists only while there is input to parse, so that
 * an idle connection has none. Reports violations as {@link RequestFault}s, not as exceptions.
 */
final class RequestHeadParser {

    private final Http1Rules rules;
    private final Window window = new Window();
    private RequestLine line;
    private @Nullable FieldParser fields;
    private @Nullable Framing framing;
    private @Nullable RequestHead head;
    private @Nullable RequestFault refusal;
    private long deadline;
    private long idleDeadline;

    RequestHeadParser(Http1Rules rules) {
        this.rules = rules;
        line = new RequestLine(window, rules.targetOctets());
    }

    /**
     * Continues with more input. COMPLETE: the input's position is after the head. NEED_MORE: all input was consumed.
     * REFUSED: the position is undefined.
     */
    Parsing parse(ByteBuffer in) {
        int max = rules.options().get(MAX_REQUEST_HEADER_SIZE);
        while (true) {
            Parsing progress = advance();
            if (progress != Parsing.NEED_MORE) {
                return progress == Parsing.COMPLETE ? complete(in) : progress;
            }
            if (!window.fill(in, max)) {
                return starved(in, max);
            }
        }
    }

    /** The most recent head. */
    RequestHead head() {
        if (head == null) {
            throw new IllegalStateException("no head was read");
        }
        return head;
    }

    /** The framing of the most recent request. */
    Framing framing() {
        if (framing == null) {
            throw new IllegalStateException("no head was read");
        }
        return framing;
    }

    /** Why the head was rejected, after REFUSED. */
    RequestFault refusal() {
        return refusal == null ? RequestFault.BAD_TARGET : refusal;
    }

    /**
     * The remaining time for the head; zero for no limit; null if the time is over. The limit starts with the first call, and
     * single bytes do not extend it. A shorter limit given later starts when it is given.
     */
    @Nullable
    Duration timeLeft(Duration limit) {
        deadline = earliest(deadline, limit);
        return timeUntil(deadline);
    }

    /** The same for the time between heads, which empty lines do not extend. */
    @Nullable
    Duration idleTimeLeft(Duration limit) {
        idleDeadline = earliest(idleDeadline, limit);
        return timeUntil(idleDeadline);
    }

    /** 0 means none. */
    private static long earliest(long before, Duration limit) {
        if (limit.isZero()) {
            return before;
        }
        long latest = (System.nanoTime() + Delays.nanos(limit)) | 1;
        return before == 0 || latest - before < 0 ? latest : before;
    }

    private static @Nullable Duration timeUntil(long deadline) {
        if (deadline == 0) {
            return Duration.ZERO;
        }
        long left = deadline - System.nanoTime();
        return left > 0 ? Duration.ofNanos(left) : null;
    }

    /** The parser's position in the head. */
    int offset() {
        return window.position - window.start;
    }

    /** The first bytes of the head, for the log. */
    String excerpt(int longest) {
        int end = Math.min(window.limit, window.start + longest);
        return Octets.text(window.bytes, window.start, end);
    }

    /** The request line as received so far, valid or not; null if there is none. For the access log. */
    @Nullable
    String lineAsSent() {
        int end = window.start;
        while (end < window.limit && window.bytes[end] != '\r' && window.bytes[end] != '\n') {
            end++;
        }
        return end == window.start ? null : Octets.text(window.bytes, window.start, end);
    }

    /** Whether a head has begun. A part of an empty line counts. */
    boolean isInHead() {
        return window.limit > 0 && (window.size() > 0 || !line.isEmpty());
    }

    /** Whether only empty lines were received. Their number is limited, so this parser must be kept. */
    boolean isBehindEmptyLine() {
        return line.isBehindEmptyLine();
    }

    /** Prepares for the next head. */
    void next() {
        line = new RequestLine(window, rules.targetOctets());
        deadline = 0;
        idleDeadline = 0;
        fields = null;
        framing = null;
        head = null;
    }

    private Parsing advance() {
        if (fields == null) {
            Parsing progress = line.parse();
            if (progress == Parsing.REFUSED) {
                return refuse(line.refusal());
            }
            if (progress == Parsing.NEED_MORE) {
                return progress;
            }
            framing = new Framing(new RequestAssembly(rules.request()));
            fields = new FieldParser(window, rules, framing);
        }
        Parsing progress = fields.parse();
        return progress == Parsing.REFUSED ? refuse(fields.refusal()) : progress;
    }

    private Parsing starved(ByteBuffer in, int max) {
        if (window.size() >= max) {
            return refuse(fields == null ? RequestFault.LINE_TOO_LONG : RequestFault.HEAD_TOO_LARGE);
        }
        window.carry(in);
        return Parsing.NEED_MORE;
    }

    private Parsing complete(ByteBuffer in) {
        byte[] bytes = window.bytes;
        String method = Methods.text(bytes, window.start, line.methodEnd());
        RequestAssembly request = framing().request();
        RequestFault wrong =
                RequestTarget.read(bytes, line, method, rules, request) ? check(request) : RequestFault.BAD_TARGET_FORM;
        if (wrong != null) {
            return refuse(wrong);
        }
        head = request.head(method, line.version(), rules.scheme(), framing().contentLength());
        window.consume(in);
        return Parsing.COMPLETE;
    }

    private @Nullable RequestFault check(RequestAssembly request) {
        RequestFault wrong = framing().check(line.version());
        return wrong == null ? request.checkTarget() : wrong;
    }

    private Parsing refuse(RequestFault why) {
        refusal = why;
        return Parsing.REFUSED;
    }
}
