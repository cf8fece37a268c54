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
 * The table of contents near the end of a zip file (APPNOTE 4.3.6), as plain bytes: names, sizes and checksums of its entries.
 * {@code ZipFile} makes an object of each of them, five thousand for the server's own jars. Any thread.
 */
public final class ZipDirectory {

    /** The record at the very end, if the file has no comment (4.3.16). */
    private static final int END_SIZE = 22;

    private static final int END_SIGNATURE = 0x06054b50;

    /** What each entry of the table begins with (4.3.12). */
    private static final int ENTRY_SIGNATURE = 0x02014b50;

    /** Where the end says how long the table before it is. */
    private static final int LENGTH_AT = 12;

    private ZipDirectory() {}

    /**
     * Whether an entry's name may have a text in it.
     *
     * @return false if none has it; true as well if only {@code ZipFile} understands this file
     * @throws IOException the file cannot be read
     */
    public static boolean mayHave(Path file, String text) throws IOException {
        ByteBuffer table = table(file);
        return table == null
                || StandardCharsets.ISO_8859_1.decode(table).toString().contains(text);
    }

    /** Empty if there are no entries; null if only {@code ZipFile} understands this file. */
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
            // counted from the end as ZipFile does, since a program may stand before the zip file proper
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
                throw new EOFException("shorter than it was");
            }
        }
        return buffer.flip();
    }
}
