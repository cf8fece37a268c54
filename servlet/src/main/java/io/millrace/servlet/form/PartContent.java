package io.millrace.servlet.form;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The content of a part: in memory up to a threshold, beyond it in a temporary file that is deleted with the request. */
final class PartContent {

    private final Path directory;
    private final int threshold;
    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable FileChannel channel;
    private @Nullable Path file;
    /** True after {@link #moveTo}: the file belongs to the application and is not deleted. */
    private boolean moved;

    private long size;

    PartContent(Path directory, int threshold) {
        this.directory = directory;
        this.threshold = threshold;
    }

    long size() {
        return size;
    }

    void append(ByteBuffer bytes) throws IOException {
        size += bytes.remaining();
        if (channel == null && size > threshold) {
            spill();
        }
        if (channel == null) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            memory.write(copy, 0, copy.length);
        } else {
            writeFully(channel, bytes);
        }
    }

    /** Ends the content. */
    void complete() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory.toByteArray()) : Files.newInputStream(file);
    }

    byte[] bytes() throws IOException {
        return file == null ? memory.toByteArray() : Files.readAllBytes(file);
    }

    /** Moves the file, by a rename if possible; after the first call, copies it. */
    void moveTo(Path target) throws IOException {
        if (file == null) {
            Files.write(target, memory.toByteArray());
        } else if (moved) {
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
            file = target;
            moved = true;
        }
    }

    /** Deletes the temporary file, in any state. */
    void delete() throws IOException {
        try {
            complete();
        } finally {
            if (file != null && !moved) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void spill() throws IOException {
        Files.createDirectories(directory);
        // createTempFile makes it readable by the owner only
        file = Files.createTempFile(directory, "upload-", ".part");
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        writeFully(channel, ByteBuffer.wrap(memory.toByteArray()));
        memory.reset();
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
