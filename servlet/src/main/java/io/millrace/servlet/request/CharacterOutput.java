package io.millrace.servlet.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/** The encoder of a response's characters. Confined to the exchange's owner. */
abstract class CharacterOutput extends Writer {

    static CharacterOutput of(OutputStream out, Charset charset) {
        return OctetWriter.encodes(charset) ? new OctetWriter(out, charset) : new CharsetWriter(out, charset);
    }

    /** Discards pending characters. */
    abstract void reset();

    /** Encodes the pending characters, without flushing. A high surrogate stays pending until its low surrogate is written. */
    abstract void drainChars() throws IOException;

    /** Ends the output: a stateful encoding returns to its initial state. No write may follow. */
    abstract void finish() throws IOException;

    /**
     * Encodes UTF-8, ISO-8859-1 and US-ASCII into one array that grows on demand: for a small response, a {@code CharsetEncoder} and
     * its two buffers would cost more than everything else. Malformed and unmappable input becomes a question mark, as with
     * {@code CodingErrorAction.REPLACE}.
     */
    private static final class OctetWriter extends CharacterOutput {

        private static final int FIRST = 64;
        private static final int FULL = 4096;

        /** From this length, {@code String.getBytes} is faster in spite of its copies. */
        private static final int LONG = 1024;

        /** Characters of such a string that are encoded at a time. */
        private static final int PIECE = 16 * 1024;

        /** The most octets that one character adds: a question mark for the unpaired surrogate before it, and three octets. */
        private static final int MOST = 4;

        private static final byte[] NONE = {};

        private final OutputStream out;
        private final Charset charset;

        /** Characters below it are single octets of the same value. */
        private final int plain;

        private byte[] bytes = NONE;
        private int count;

        /** A pending high surrogate; 0 if there is none. */
        private char high;

        OctetWriter(OutputStream out, Charset charset) {
            this.out = out;
            this.charset = charset;
            plain = charset.equals(ISO_8859_1) ? 0x100 : 0x80;
        }

        static boolean encodes(Charset charset) {
            return charset.equals(UTF_8) || charset.equals(ISO_8859_1) || charset.equals(US_ASCII);
        }

        @Override
        public void write(int c) throws IOException {
            put((char) c);
        }

        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            if (length >= LONG) {
                encode(new String(text, offset, length));
                return;
            }
            for (int i = offset; i < offset + length; i++) {
                put(text[i]);
            }
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            if (length >= LONG) {
                encode(text.substring(offset, offset + length));
                return;
            }
            for (int i = offset; i < offset + length; i++) {
                put(text.charAt(i));
            }
        }

        private void put(char c) throws IOException {
            if (bytes.length - count < MOST) {
                makeRoom();
            }
            if (high == 0 && c < plain) {
                bytes[count++] = (byte) c;
            } else if (high != 0 && Character.isLowSurrogate(c)) {
                putPair(Character.toCodePoint(high, c));
            } else {
                putOther(c);
            }
        }

        private void makeRoom() throws IOException {
            if (bytes.length < FULL) {
                bytes = Arrays.copyOf(bytes, Math.max(FIRST, 2 * bytes.length));
            } else {
                drainChars();
            }
        }

        private void putOther(char c) {
            putHalf();
            if (Character.isHighSurrogate(c)) {
                high = c;
            } else if (c < plain) {
                bytes[count++] = (byte) c;
            } else if (!charset.equals(UTF_8) || Character.isLowSurrogate(c)) {
                bytes[count++] = '?';
            } else if (c < 0x800) {
                bytes[count++] = (byte) (0xc0 | c >> 6);
                bytes[count++] = (byte) (0x80 | c & 0x3f);
            } else {
                bytes[count++] = (byte) (0xe0 | c >> 12);
                bytes[count++] = (byte) (0x80 | c >> 6 & 0x3f);
                bytes[count++] = (byte) (0x80 | c & 0x3f);
            }
        }

        private void putPair(int codePoint) {
            high = 0;
            if (!charset.equals(UTF_8)) {
                bytes[count++] = '?';
                return;
            }
            bytes[count++] = (byte) (0xf0 | codePoint >> 18);
            bytes[count++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
            bytes[count++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
            bytes[count++] = (byte) (0x80 | codePoint & 0x3f);
        }

        /** Replaces an unpaired high surrogate. */
        private void putHalf() {
            if (high != 0) {
                bytes[count++] = '?';
                high = 0;
            }
        }

        private void encode(String text) throws IOException {
            int at = 0;
            while (high != 0 && at < text.length()) {
                put(text.charAt(at++));
            }
            drainChars();
            while (at < text.length()) {
                int end = Math.min(text.length(), at + PIECE);
                boolean cut = Character.isHighSurrogate(text.charAt(end - 1));
                byte[] piece = text.substring(at, cut ? end - 1 : end).getBytes(charset);
                out.write(piece, 0, piece.length);
                if (cut && end == text.length()) {
                    high = text.charAt(end - 1);
                    return;
                }
                at = cut ? end - 1 : end;
            }
        }

        @Override
        void reset() {
            count = 0;
            high = 0;
        }

        @Override
        void drainChars() throws IOException {
            int length = count;
            count = 0;
            if (length > 0) {
                out.write(bytes, 0, length);
            }
        }

        @Override
        void finish() throws IOException {
            if (high != 0) {
                high = 0;
                put('?');
            }
            drainChars();
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

    /**
     * Encodes into any charset. Its buffer starts small and grows only if needed; {@code OutputStreamWriter} would allocate 8 KiB for
     * each response.
     */
    private static final class CharsetWriter extends CharacterOutput {

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
}
