package io.millrace.http1;

import io.millrace.http.ResponseHead;
import io.millrace.protocol.HttpOptions;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads response heads, one after the other, whole or in pieces of any size; as strict as {@link RequestHeadParser}. */
final class ResponseHeadParser {

    private final Settings options;
    private final Window window = new Window();
    private StatusLine line = new StatusLine(window);
    private boolean old;

    /** Being read, as soon as its first line is. */
    private @Nullable ResponseHead head;

    private @Nullable FieldParser fields;

    ResponseHeadParser(Settings options) {
        this.options = options;
    }

    /** Goes on with more input. COMPLETE: the input stands behind the head. NEED_MORE: all of it was taken. */
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

    /** The head that was read, which is the caller's. */
    ResponseHead head() {
        ResponseHead read = head;
        if (read == null) {
            throw new IllegalStateException("no head was read");
        }
        return read;
    }

    /** Is the head that was read of HTTP/1.0? */
    boolean isOld() {
        return old;
    }

    /** Gets ready for the next head. */
    void next() {
        line = new StatusLine(window);
        head = null;
        fields = null;
    }
}
