package io.millrace.servlet.form;

import io.millrace.exchange.BodySource;
import io.millrace.io.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a request's body, or all of it, that came before anybody read it: a little in memory, the rest in a
 * temporary file. As a source it gives what it has, and then what the body's own source still has. For the request's owner.
 */
public final class BodySpool implements BodySource {

    private static final int IN_MEMORY = 16 * 1024;
    private static final int PIECE = 16 * 1024;

    private final BodySource rest;
    private final Path directory;
    private @Nullable ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable FileChannel channel;
    private @Nullable IOException failure;
    private long size;

    /** Of the file. */
    private long read;

    /** Nothing yet; files are made in the directory, which is made for the first. */
    public BodySpool(BodySource rest, Path directory) {
        this.rest = rest;
        this.directory = directory;
    }

    /** Bytes so far. */
    public long size() {
        return size;
    }

    /** Keeps these bytes; if that fails, who reads is told the same. Not after the first {@link #read}. */
    public void append(ByteBuffer bytes) throws IOException {
        try {
            keep(bytes);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private void keep(ByteBuffer bytes) throws IOException {
        size += bytes.remaining();
        ByteArrayOutputStream small = memory;
        if (channel == null && small != null && size <= IN_MEMORY) {
            while (bytes.hasRemaining()) {
                small.write(bytes.get());
            }
            return;
        }
        FileChannel large = channel == null ? spill() : channel;
        while (bytes.hasRemaining()) {
            large.write(bytes);
        }
    }

    private FileChannel spill() throws IOException {
        Files.createDirectories(directory);
        Path made = Files.createTempFile(directory, "body-", ".part"); // readable by us alone
        file = made;
        FileChannel opened = FileChannel.open(made, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel = opened;
        return opened;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw new IOException("the request's body could not be kept", failure);
        }
        ByteArrayOutputStream small = memory;
        memory = null;
        if (small != null && small.size() > 0) {
            return Chunk.wrap(ByteBuffer.wrap(small.toByteArray()));
        }
        FileChannel large = channel;
        if (large == null) {
            return rest.read();
        }
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        if (large.read(piece, read) > 0) {
            read += piece.position();
            return Chunk.wrap(piece.flip());
        }
        close();
        return rest.read();
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (memory != null || channel != null) {
            ready.run();
        } else {
            rest.awaitReadable(ready);
        }
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        rest.await(latch);
    }

    /** No file is left. More than once is harmless. */
    public void close() throws IOException {
        FileChannel open = channel;
        Path made = file;
        channel = null;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            if (made != null) {
                Files.deleteIfExists(made);
            }
        }
    }
}
