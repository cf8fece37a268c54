package io.millrace.heap;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The bytes of a heap dump of any size: what is read in order, and what is looked up in between, through a window. Confined to a thread. */
final class HeapFile implements Closeable {

    /** Tags of the records of heaps. */
    static final int CLASS = 0x20;

    static final int INSTANCE = 0x21;
    static final int ARRAY = 0x22;
    static final int PRIMITIVES = 0x23;

    private static final int WINDOW = 1 << 20;
    private static final int MAX_BYTES = 1 << 24;

    private final FileChannel channel;
    private final long size;
    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW).limit(0);
    private long start;
    private long position;

    HeapFile(Path path) throws IOException {
        channel = FileChannel.open(path);
        size = channel.size();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Whether it begins as a dump with identifiers of eight bytes does; if so, the position is behind that. */
    boolean isDump() throws IOException {
        int length = 0;
        while (length < 64 && length < size && readByte() != 0) {
            length++; // the name of the format
        }
        if (length < 12 || size - position < 12 || readInt() != 8) {
            return false;
        }
        skip(8);
        return new String(bytesAt(0, 12), StandardCharsets.US_ASCII).equals("JAVA PROFILE");
    }

    long size() {
        return size;
    }

    long position() {
        return position;
    }

    void seek(long to) {
        position = to;
    }

    void skip(long bytes) throws IOException {
        if (bytes < 0) {
            throw new IOException("is damaged at byte " + position);
        }
        position += bytes;
    }

    byte readByte() throws IOException {
        return byteAt(position++);
    }

    int readShort() throws IOException {
        int index = index(position, 2);
        position += 2;
        return window.getShort(index) & 0xFFFF;
    }

    int readInt() throws IOException {
        int value = intAt(position);
        position += 4;
        return value;
    }

    long readLong() throws IOException {
        long value = longAt(position);
        position += 8;
        return value;
    }

    byte byteAt(long at) throws IOException {
        return window.get(index(at, 1));
    }

    int intAt(long at) throws IOException {
        return window.getInt(index(at, 4));
    }

    long longAt(long at) throws IOException {
        return window.getLong(index(at, 8));
    }

    /** The beginning of a text, if it is longer than 16 MiB. */
    byte[] bytesAt(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.max(0, Math.min(length, MAX_BYTES)));
        fill(bytes, at);
        if (bytes.hasRemaining()) {
            throw new EOFException("is truncated");
        }
        return bytes.array();
    }

    private int index(long at, int length) throws IOException {
        if (at < start || at + length > start + window.limit()) {
            window.clear();
            fill(window, at);
            window.flip();
            start = at;
            if (window.limit() < length) {
                throw new EOFException("is truncated");
            }
        }
        return (int) (at - start);
    }

    private void fill(ByteBuffer into, long at) throws IOException {
        long from = at;
        int count = 1;
        while (into.hasRemaining() && count > 0) {
            count = channel.read(into, from);
            from += Math.max(0, count);
        }
    }
}
