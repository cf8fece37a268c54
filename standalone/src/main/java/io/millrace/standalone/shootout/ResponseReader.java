package io.millrace.standalone.shootout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Finds the end of one response after the other (RFC 9112, 6.3), and drops their bodies. Of the head it reads what that takes: status,
 * {@code Content-Length}, {@code Transfer-Encoding} and {@code Connection}. For answers to GET, not pipelined.
 */
final class ResponseReader {

    private enum State {
        HEAD,
        FIXED,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER,
        UNTIL_CLOSE
    }

    private static final int MAX_HEAD = 64 * 1024;
    private static final long MAX_LENGTH = 1L << 40;

    private static final byte[] CONTENT_LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRANSFER_ENCODING = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONNECTION = "connection:".getBytes(StandardCharsets.US_ASCII);

    private byte[] head = new byte[1024];
    private int headLength;
    private State state = State.HEAD;
    private int status;
    private boolean closes;

    /** Of the body or the chunk. */
    private long remaining;

    /** Of a line that is skipped. */
    private int lineLength;

    private long body;

    /** Of the latest head. */
    int status() {
        return status;
    }

    /** Whether the server closes the connection behind this response. */
    boolean closes() {
        return closes;
    }

    /** The bytes of all bodies so far. */
    long body() {
        return body;
    }

    /** Whether no byte of the next response has been read. */
    boolean isBetween() {
        return state == State.HEAD && headLength == 0;
    }

    /** Whether the end of the connection is the end of the response. */
    boolean endsWithConnection() {
        return state == State.UNTIL_CLOSE;
    }

    /**
     * Reads to the end of the response, or of the input.
     *
     * @return whether the response is complete; the next call begins another one
     * @throws IOException if it is no response of HTTP/1.1
     */
    boolean read(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            if (step(in)) {
                state = State.HEAD;
                headLength = 0;
                return true;
            }
        }
        return false;
    }

    /** Returns whether the response is complete. */
    private boolean step(ByteBuffer in) throws IOException {
        switch (state) {
            case HEAD -> {
                return head(in) && bodyless();
            }
            case FIXED -> {
                skip(in);
                return remaining == 0;
            }
            case CHUNK_SIZE -> chunkSize(in.get());
            case CHUNK -> {
                skip(in);
                if (remaining == 0) {
                    state = State.CHUNK_END;
                }
            }
            case CHUNK_END -> {
                if (in.get() == '\n') {
                    startChunk();
                }
            }
            case TRAILER -> {
                return trailer(in.get());
            }
            case UNTIL_CLOSE -> {
                body += in.remaining();
                in.position(in.limit());
            }
        }
        return false;
    }

    private void skip(ByteBuffer in) {
        int some = (int) Math.min(remaining, in.remaining());
        in.position(in.position() + some);
        remaining -= some;
        body += some;
    }

    /** Returns whether the head is complete. */
    private boolean head(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (headLength == head.length) {
                if (headLength == MAX_HEAD) {
                    throw new IOException("the head of the response is longer than " + MAX_HEAD + " bytes");
                }
                head = java.util.Arrays.copyOf(head, 2 * headLength);
            }
            head[headLength++] = next;
            if (next == '\n' && endsWithEmptyLine()) {
                return true;
            }
        }
        return false;
    }

    private boolean endsWithEmptyLine() {
        return headLength >= 2 && head[headLength - 2] == '\n'
                || headLength >= 3 && head[headLength - 2] == '\r' && head[headLength - 3] == '\n';
    }

    /** Reads the head; returns whether the response has no body, which makes it complete. */
    private boolean bodyless() throws IOException {
        if (headLength < 14 || head[0] != 'H' || head[4] != '/' || head[8] != ' ') {
            throw new IOException("the answer is not HTTP/1.1");
        }
        status = (head[9] - '0') * 100 + (head[10] - '0') * 10 + head[11] - '0';
        closes = head[7] == '0';
        remaining = -1;
        boolean isChunked = false;
        int line = 0;
        for (int i = 0; i < headLength; i++) {
            if (head[i] == '\n') {
                isChunked |= field(line, i);
                line = i + 1;
            }
        }
        if (status / 100 == 1) { // a final response follows
            headLength = 0;
            return false;
        }
        if (status == 204 || status == 304 || !isChunked && remaining == 0) {
            return true;
        }
        if (isChunked) {
            startChunk();
        } else {
            state = remaining > 0 ? State.FIXED : State.UNTIL_CLOSE;
        }
        return false;
    }

    /** Returns whether the line says that the body is chunked. */
    private boolean field(int from, int to) throws IOException {
        if (begins(from, to, CONTENT_LENGTH)) {
            remaining = 0;
            for (int i = from + CONTENT_LENGTH.length; i < to; i++) {
                if (head[i] >= '0' && head[i] <= '9') {
                    remaining = remaining * 10 + head[i] - '0';
                    if (remaining > MAX_LENGTH) {
                        throw new IOException("the Content-Length of the response is too large");
                    }
                } else if (head[i] != ' ' && head[i] != '\r') {
                    throw new IOException("the Content-Length of the response is no number");
                }
            }
        } else if (begins(from, to, CONNECTION)) {
            closes |= value(from + CONNECTION.length, to).contains("close");
        } else if (begins(from, to, TRANSFER_ENCODING)) {
            return value(from + TRANSFER_ENCODING.length, to).contains("chunked");
        }
        return false;
    }

    private boolean begins(int from, int to, byte[] lowerCase) {
        if (to - from < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            int c = head[from + i];
            if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private String value(int from, int to) {
        return new String(head, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(java.util.Locale.ROOT);
    }

    private void startChunk() {
        state = State.CHUNK_SIZE;
        remaining = 0;
        lineLength = 0;
    }

    /** What follows the digits is an extension. */
    private void chunkSize(byte next) throws IOException {
        int digit = Character.digit(next, 16);
        if (next == '\n') {
            if (lineLength == 0) {
                throw new IOException("a chunk of the response has no size");
            }
            state = remaining == 0 ? State.TRAILER : State.CHUNK;
            lineLength = 0;
        } else if (digit >= 0 && lineLength >= 0) {
            remaining = remaining * 16 + digit;
            lineLength++;
            if (remaining > MAX_LENGTH) {
                throw new IOException("a chunk of the response is too long");
            }
        } else if (lineLength > 0) {
            lineLength = -1;
        } else if (lineLength == 0) {
            throw new IOException("a chunk of the response has no size");
        }
    }

    /** Returns whether it was the end of an empty line. */
    private boolean trailer(byte next) {
        if (next == '\n') {
            boolean isEmpty = lineLength == 0;
            lineLength = 0;
            return isEmpty;
        }
        if (next != '\r') {
            lineLength++;
        }
        return false;
    }
}
