package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.http.Headers;
import io.millrace.servlet.settings.FormLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An incremental parser of multipart bodies (RFC 2046, 5.1; RFC 7578). The caller feeds it the body in pieces of any size; it
 * buffers only the header of a part, and never blocks.
 *
 * <pre>
 * state      input                         next state
 * PREAMBLE   --boundary                    DELIMITER   (at the very start; else CRLF--boundary)
 * DELIMITER  blanks CRLF                   HEADER
 *            --                            EPILOGUE
 * HEADER     an empty line                 CONTENT     begin(headers)
 * CONTENT    CRLF--boundary                DELIMITER   finish(); preceding bytes: content(bytes)
 * EPILOGUE   anything                      EPILOGUE
 * </pre>
 *
 * The delimiter has CR only at its start, so a failed partial match can restart only at the byte where it failed. What was
 * matched in earlier pieces is a prefix of the delimiter and need not be buffered.
 */
final class MultipartParser {

    private enum State {
        PREAMBLE,
        DELIMITER,
        HEADER,
        CONTENT,
        EPILOGUE
    }

    private static final int MAX_BOUNDARY = 256;

    private final byte[] delimiter;
    private final FormLimits limits;
    private final PartReceiver receiver;
    private final PartHeader header;
    private State state = State.PREAMBLE;
    /** The number of matched bytes of the delimiter. */
    private int matched = 2;

    /**
     * How many matched bytes are not content: the line break before a delimiter may be implied at the body's start, or end the
     * header.
     */
    private int implied = 2;

    /** The byte after the delimiter: CR of a delimiter line, the first dash of the closing delimiter, or 0 if not read yet. */
    private byte afterDelimiter;

    private int parts;
    private long seen;

    MultipartParser(String boundary, FormLimits limits, PartReceiver receiver) {
        if (boundary.isEmpty() || boundary.length() > MAX_BOUNDARY || boundary.indexOf('\r') >= 0) {
            throw FormException.malformed("The multipart boundary has " + boundary.length()
                    + " characters" + (boundary.indexOf('\r') >= 0 ? " and contains CR" : "")
                    + "; expected 1 to 256 characters without CR.");
        }
        delimiter = ("\r\n--" + boundary).getBytes(ISO_8859_1);
        this.limits = limits;
        this.receiver = receiver;
        header = new PartHeader(limits.maxPartHeaderSize());
    }

    /**
     * Consumes the entire piece.
     *
     * @throws FormException 400 if it is malformed, 413 at a limit
     * @throws IOException if the receiver throws it
     */
    void feed(ByteBuffer in) throws IOException {
        seen += in.remaining();
        while (in.hasRemaining()) {
            switch (state) {
                case PREAMBLE, CONTENT -> content(in);
                case DELIMITER -> delimiter(in.get());
                case HEADER -> header(in.get());
                case EPILOGUE -> in.position(in.limit());
            }
        }
    }

    /**
     * Ends the body.
     *
     * @throws FormException 400 if the body is incomplete; an empty body has no parts
     */
    void end() {
        if (state != State.EPILOGUE && seen > 0) {
            throw FormException.malformed("The multipart body ended before its closing boundary, in " + state + ".");
        }
    }

    private void content(ByteBuffer in) throws IOException {
        int start = in.position();
        int earlier = matched;
        for (int i = start; i < in.limit(); i++) {
            byte b = in.get(i);
            if (b != delimiter[matched]) {
                if (earlier > 0) {
                    deliver(ByteBuffer.wrap(delimiter, implied, earlier - implied));
                    earlier = 0;
                    implied = 0;
                }
                matched = b == '\r' ? 1 : 0;
            } else if (++matched == delimiter.length) {
                deliver(in.slice(start, earlier > 0 ? 0 : i + 1 - start - matched));
                in.position(i + 1);
                foundDelimiter();
                return;
            }
        }
        int held = earlier > 0 ? in.limit() - start : matched;
        deliver(in.slice(start, in.limit() - start - held));
        in.position(in.limit());
    }

    private void deliver(ByteBuffer bytes) throws IOException {
        if (state == State.CONTENT && bytes.hasRemaining()) {
            receiver.content(bytes);
        }
    }

    private void foundDelimiter() throws IOException {
        afterDelimiter = 0;
        if (state == State.CONTENT) {
            receiver.finish();
        }
        state = State.DELIMITER;
    }

    private void delimiter(byte b) {
        if (afterDelimiter == 0 && (b == ' ' || b == '\t')) {
            return; // transport padding (RFC 2046, 5.1.1)
        }
        if (afterDelimiter == 0 && (b == '\r' || b == '-')) {
            afterDelimiter = b;
        } else if (afterDelimiter == '\r' && b == '\n') {
            nextPart();
        } else if (afterDelimiter == '-' && b == '-') {
            state = State.EPILOGUE;
        } else {
            throw FormException.malformed(
                    String.format("Byte 0x%02x after a multipart boundary; expected CR LF or \"--\".", b & 0xff));
        }
    }

    private void nextPart() {
        if (limits.maxPartCount() >= 0 && ++parts > limits.maxPartCount()) {
            throw new FormException(
                    413,
                    "The multipart body has more than " + limits.maxPartCount()
                            + " parts: raise maxPartCount to accept it.");
        }
        state = State.HEADER;
    }

    private void header(byte b) throws IOException {
        if (header.add(b)) {
            Headers headers = header.take();
            state = State.CONTENT;
            // the delimiter may follow immediately, if the part is empty (RFC 2046, 5.1.1)
            matched = 2;
            implied = 2;
            receiver.begin(headers);
        }
    }

    /** Collects the header of one part, up to its empty line, and parses it (RFC 7578, 4.8; RFC 5322, 2.2). */
    private static final class PartHeader {

        private final int limit;
        private byte[] bytes = new byte[128];
        private int length;

        PartHeader(int limit) {
            this.limit = limit;
        }

        /**
         * Adds a byte.
         *
         * @return true if the header is complete
         */
        boolean add(byte b) {
            if (limit >= 0 && length >= limit) {
                throw new FormException(
                        413,
                        "A part's header has more than " + limit + " bytes: raise maxPartHeaderSize to accept it.");
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            bytes[length++] = b;
            if (b != '\n') {
                return false;
            }
            if (length < 2 || bytes[length - 2] != '\r') {
                throw FormException.malformed("A line of a part's header ends with LF; expected CR LF.");
            }
            return length == 2 || length >= 4 && bytes[length - 3] == '\n';
        }

        /** Returns the fields, and resets the buffer for the next part. */
        Headers take() {
            String text = new String(bytes, 0, length - 2, ISO_8859_1);
            length = 0;
            Headers headers = new Headers();
            // unfolds lines (RFC 5322, 2.2.3), as mail libraries fold them
            for (String line : text.replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n", -1)) {
                if (!line.isEmpty()) {
                    field(line, headers);
                }
            }
            return headers;
        }

        private static void field(String line, Headers headers) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw FormException.malformed("A line of a part's header has no field name; expected \"name: value\".");
            }
            headers.add(
                    line.substring(0, colon).trim(), line.substring(colon + 1).trim());
        }
    }
}
