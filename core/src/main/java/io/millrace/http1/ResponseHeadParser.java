package io.millrace.http1;

import io.millrace.http.ResponseHead;
import io.millrace.protocol.HttpOptions;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Parses response heads, one after the other, from input split at any byte; as strict as {@link RequestHeadParser}. */
final class ResponseHeadParser {

    private final Settings options;
    private final Window window = new Window();
    private StatusLine line = new StatusLine(window);
    private boolean old;

    /** The current head, once its status line was read. */
    private @Nullable ResponseHead head;

    private @Nullable FieldParser fields;

    ResponseHeadParser(Settings options) {
        this.options = options;
    }

    /** Continues with more input. COMPLETE: the input's position is after the head. NEED_MORE: all input was consumed. */
    Parsing parse(ByteBuffer in) {
        int max = options.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE);
        while (true) {
            Parsing progress = advance();
            if (progress == Parsing.COMPLETE) {
                window.consume(in);
            }
            if (progress != Parsing.NEED_MORE) {
                return progress;
            }
            if (!window.fill(in, max)) {
                if (window.size() >= max) {
                    return Parsing.REFUSED;
                }
                window.carry(in);
                return Parsing.NEED_MORE;
            }
        }
    }

    private Parsing advance() {
        FieldParser parser = fields;
        if (parser == null) {
            Parsing progress = line.parse();
            if (progress != Parsing.COMPLETE) {
                return progress;
            }
            old = line.isOld();
            ResponseHead begun = new ResponseHead().status(line.status());
            parser = new FieldParser(window, begun.headers(), options, null);
            head = begun;
            fields = parser;
        }
        return parser.parse();
    }

    /** The head that was read, owned by the caller. */
    ResponseHead head() {
        ResponseHead read = head;
        if (read == null) {
            throw new IllegalStateException("no head was read");
        }
        return read;
    }

    /** Whether the version of the head is HTTP/1.0. */
    boolean isOld() {
        return old;
    }

    /** Prepares for the next head. */
    void next() {
        line = new StatusLine(window);
        head = null;
        fields = null;
    }
}
