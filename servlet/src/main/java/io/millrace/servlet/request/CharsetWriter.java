package io.millrace.servlet.request;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;

/**
 * Encodes into any charset. Its buffer starts small and grows only if needed; {@code OutputStreamWriter} would allocate 8 KiB for
 * each response.
 */
final class CharsetWriter extends CharacterOutput {

    private static final int FIRST = 256;
    private static final int FULL = 4096;

    private final OutputStream out;
    private final CharsetEncoder encoder;
    private CharBuffer chars = CharBuffer.allocate(FIRST);
    private ByteBuffer bytes = ByteBuffer.allocate(FIRST);

    CharsetWriter(OutputStream out, Charset charset) {
        this.out = out;
        this.encoder = charset.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    @Override
    public void write(int c) throws IOException {
        if (!chars.hasRemaining()) {
            makeRoom();
        }
        chars.put((char) c);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (!chars.hasRemaining()) {
                makeRoom();
            }
            int count = Math.min(chars.remaining(), end - at);
            chars.put(text, at, count);
            at += count;
        }
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (!chars.hasRemaining()) {
                makeRoom();
            }
            int count = Math.min(chars.remaining(), end - at);
            chars.put(text, at, at + count);
            at += count;
        }
    }

    private void makeRoom() throws IOException {
        if (chars.capacity() < FULL) {
            chars = CharBuffer.allocate(FULL).put(chars.flip());
            bytes = ByteBuffer.allocate(FULL);
        } else {
            encode(false);
        }
    }

    /** A high surrogate stays pending until its low surrogate is written. */
    private void encode(boolean end) throws IOException {
        chars.flip();
        while (encoder.encode(chars, bytes, end).isOverflow()) {
            drain();
        }
        drain();
        chars.compact();
    }

    private void drain() throws IOException {
        if (bytes.position() > 0) {
            out.write(bytes.array(), 0, bytes.position());
            bytes.clear();
        }
    }

    @Override
    void reset() {
        chars.clear();
        bytes.clear();
        encoder.reset();
    }

    @Override
    void drainChars() throws IOException {
        if (chars.position() > 0) {
            encode(false);
        }
    }

    @Override
    void finish() throws IOException {
        encode(true);
        while (encoder.flush(bytes).isOverflow()) {
            drain();
        }
        drain();
        encoder.reset();
    }

    @Override
    public void flush() throws IOException {
        drainChars();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
