package io.millrace.files;

import io.millrace.compression.EncodedForms;
import io.millrace.exchange.HttpExchange;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy of a file, in slices of the cache's memory or in a buffer of its own. */
final class MemoryContent extends Content {

    private final @Nullable SliceMemory memory;
    private final List<SliceMemory.Slice> slices;
    private final ByteBuffer[] buffers;
    private final @Nullable EncodedForms forms;

    private MemoryContent(
            @Nullable SliceMemory memory,
            List<SliceMemory.Slice> slices,
            @Nullable EncodedForms forms,
            ByteBuffer... buffers) {
        this.forms = forms;
        this.memory = memory;
        this.slices = slices;
        this.buffers = buffers;
    }

    /**
     * Copies a file into slices; null if it changed meanwhile.
     *
     * @param slices with room for the file; freed on failure, otherwise with the content
     */
    static @Nullable MemoryContent read(ServedFile file, SliceMemory memory, List<SliceMemory.Slice> slices)
            throws IOException {
        ByteBuffer[] buffers = new ByteBuffer[slices.size()];
        long left = file.length();
        for (int i = 0; i < buffers.length; i++) {
            ByteBuffer slice = slices.get(i).memory();
            buffers[i] = slice.slice(0, (int) Math.min(slice.capacity(), left));
            left -= buffers[i].remaining();
        }
        boolean read = false;
        try {
            read = fill(file, buffers);
            return read ? new MemoryContent(memory, slices, new EncodedForms(memory.encoded()), buffers) : null;
        } finally {
            if (!read) {
                memory.free(slices);
            }
        }
    }

    /** Copies a small file onto the heap; null if it changed meanwhile. */
    static @Nullable MemoryContent read(ServedFile file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) file.length());
        return fill(file, buffer) ? new MemoryContent(null, List.of(), null, buffer) : null;
    }

    private static boolean fill(ServedFile file, ByteBuffer... buffers) throws IOException {
        Path path = file.file();
        try (ReadableByteChannel in = path == null
                ? Channels.newChannel(file.open())
                : FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            for (ByteBuffer buffer : buffers) {
                while (buffer.hasRemaining()) {
                    if (in.read(buffer) < 0) {
                        throw new EOFException(file.name() + " is shorter than its length");
                    }
                }
                buffer.flip();
            }
        } catch (EOFException shorter) {
            return false;
        }
        return path == null || file.stamp().equals(FileStamp.of(path));
    }

    @Override
    Payload payload(ByteRange range) {
        if (buffers.length == 1) {
            return Payload.of(buffers[0].duplicate().limit((int) range.end()).position((int) range.from()));
        }
        List<ByteBuffer> pieces = new ArrayList<>(buffers.length);
        long start = 0;
        for (ByteBuffer buffer : buffers) {
            long from = Math.max(range.from(), start) - start;
            long end = Math.min(range.end(), start + buffer.limit()) - start;
            if (from < end) {
                pieces.add(buffer.duplicate().limit((int) end).position((int) from));
            }
            start += buffer.limit();
        }
        return new Payload.Bytes(pieces.toArray(ByteBuffer[]::new));
    }

    @Override
    Payload whole(HttpExchange exchange, ByteRange range) {
        Payload whole = payload(range);
        if (forms != null) {
            forms.offer(exchange, whole);
        }
        return whole;
    }

    @Override
    void check() {
        // a copy never changes
    }

    @Override
    boolean mayChange() {
        return false;
    }

    @Override
    void free() {
        if (memory != null) {
            memory.free(slices);
        }
        if (forms != null) {
            forms.clear();
        }
    }
}
