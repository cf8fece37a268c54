package io.millrace.servlet.resource;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the central directory of a ZIP file (APPNOTE 4.3.6) as bytes: the names, sizes and checksums of its entries. This is
 * cheaper than {@code ZipFile}, which creates an object for each entry. Thread-safe.
 */
public final class ZipDirectory {

    /** The size of the end of central directory record without comment (4.3.16), in bytes. */
    private static final int END_SIZE = 22;

    private static final int END_SIGNATURE = 0x06054b50;

    /** The signature at the start of each central directory header (4.3.12). */
    private static final int ENTRY_SIGNATURE = 0x02014b50;

    /** The offset of the size of the central directory in the end record. */
    private static final int LENGTH_AT = 12;

    private ZipDirectory() {}

    /**
     * Tests whether an entry's name may contain a text.
     *
     * @return false only if no name contains it; true if the file has a comment or another feature that only {@code ZipFile}
     *     supports
     * @throws IOException if the file cannot be read
     */
    public static boolean mayHave(Path file, String text) throws IOException {
        ByteBuffer table = table(file);
        return table == null
                || StandardCharsets.ISO_8859_1.decode(table).toString().contains(text);
    }

    /**
     * Reads the central directory.
     *
     * @return empty if there are no entries; null if the file has a comment or another feature that only {@code ZipFile} supports
     * @throws IOException if the file cannot be read
     */
    public static @Nullable ByteBuffer table(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long end = channel.size() - END_SIZE;
            if (end < 0) {
                return ByteBuffer.allocate(0);
            }
            ByteBuffer last = read(channel, end, END_SIZE);
            long length = Integer.toUnsignedLong(last.getInt(LENGTH_AT));
            if (last.getInt(0) != END_SIGNATURE || length > end) {
                return null;
            }
            // counted from the end, like ZipFile does, since an executable may precede the ZIP data
            ByteBuffer table = read(channel, end - length, (int) length);
            return length == 0 || isTable(table) ? table : null;
        }
    }

    private static boolean isTable(ByteBuffer bytes) {
        return bytes.remaining() >= Integer.BYTES && bytes.getInt(0) == ENTRY_SIGNATURE;
    }

    private static ByteBuffer read(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("the file was truncated while it was read");
            }
        }
        return buffer.flip();
    }
}
