package io.millrace.jsp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The table of contents near the end of a zip file (APPNOTE 4.3.6), as plain bytes. {@code ZipFile} makes an object of each of
 * the five thousand entries of the server's own jars, of which none is wanted.
 */
final class ZipDirectory {

    /** The record at the very end, if the file has no comment (4.3.16). */
    private static final int END_SIZE = 22;

    private static final int END_SIGNATURE = 0x06054b50;

    /** What each entry of the table begins with (4.3.12). */
    private static final int ENTRY_SIGNATURE = 0x02014b50;

    /** Where the end says how long the table before it is. */
    private static final int LENGTH_AT = 12;

    private ZipDirectory() {}

    /** False if no entry's name has the text in it; true as well if only {@code ZipFile} understands this file. */
    static boolean mayHave(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long end = channel.size() - END_SIZE;
            if (end < 0) {
                return false;
            }
            ByteBuffer last = read(channel, end, END_SIZE);
            long length = Integer.toUnsignedLong(last.getInt(LENGTH_AT));
            if (last.getInt(0) != END_SIGNATURE || length > end) {
                return true;
            }
            // counted from the end as ZipFile does, since a program may stand before the zip file proper
            return length > 0 && mayHave(read(channel, end - length, (int) length), text);
        }
    }

    private static boolean mayHave(ByteBuffer table, String text) {
        boolean understood = table.remaining() >= Integer.BYTES && table.getInt(0) == ENTRY_SIGNATURE;
        return !understood
                || StandardCharsets.ISO_8859_1.decode(table).toString().contains(text);
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
