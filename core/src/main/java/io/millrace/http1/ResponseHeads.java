package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.InterimRate;
import io.millrace.settings.Settings;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads the heads of the responses to one request: interim ones, then the final one. Confined to the reader. */
final class ResponseHeads {

    /** Receives interim responses. */
    @FunctionalInterface
    interface Interim {
        void inform(int status, Headers fields);
    }

    private final ResponseHeadParser parser;
    private final InterimRate rate = new InterimRate();

    ResponseHeads(Settings options) {
        parser = new ResponseHeadParser(options);
    }

    /**
     * Continues with more input, up to the end of the final head, or of one with status 101, which is final too (RFC 9110, 15.2).
     *
     * @return null if more input is needed; all of it was consumed
     * @throws ProtocolException if the response is malformed, or there are too many interim ones
     */
    @Nullable
    ResponseHead read(ByteBuffer in, Interim interim) throws ProtocolException {
        Parsing progress = parser.parse(in);
        while (progress == Parsing.COMPLETE) {
            ResponseHead head = parser.head();
            if (head.status() >= 200 || head.status() == Status.SWITCHING_PROTOCOLS) {
                return head;
            }
            if (!rate.take()) {
                throw new ProtocolException("there are too many interim responses before it");
            }
            interim.inform(head.status(), head.headers());
            parser.next();
            progress = parser.parse(in);
        }
        if (progress == Parsing.REFUSED) {
            throw new ProtocolException("its head is not HTTP/1.1, malformed, or too large");
        }
        return null;
    }

    /** Whether the version of the final head is HTTP/1.0. */
    boolean isOld() {
        return parser.isOld();
    }

    /** Parses response heads, one after the other, from input split at any byte; as strict as {@link RequestHeadParser}. */
    static final class ResponseHeadParser {

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
                parser = FieldParser.ofResponse(window, begun.headers(), options);
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
}
