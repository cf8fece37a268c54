package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.resource.ZipDirectory;
import io.millrace.text.Digests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the contents of a JAR, regardless of its name and time: the SHA-256 of the name, size and CRC-32 of each entry, from
 * the central directory. Reading the entries would take a hundred times as many bytes.
 */
public record JarKey(String text) {

    /** The size of an entry's header in the central directory (APPNOTE 4.3.12), without name, extra field and comment. */
    private static final int ENTRY_SIZE = 46;

    private static final int CRC_AT = 16;
    private static final int SIZE_AT = 24;
    private static final int NAME_LENGTH_AT = 28;
    private static final int EXTRA_LENGTH_AT = 30;
    private static final int COMMENT_LENGTH_AT = 32;

    /** The key of a JAR; null if its central directory can't be read as plain bytes. */
    public static @Nullable JarKey of(Path jar) throws IOException {
        ByteBuffer table = ZipDirectory.table(jar);
        if (table == null) {
            return null;
        }
        MessageDigest digest = Digests.start(Digests.SHA_256);
        int entry = 0;
        while (entry < table.limit()) {
            entry = add(table, entry, digest);
            if (entry > table.limit()) {
                return null;
            }
        }
        return new JarKey(HexFormat.of().formatHex(digest.digest()));
    }

    /** Returns the offset of the next entry; if that is beyond the end, nothing was added. */
    private static int add(ByteBuffer table, int entry, MessageDigest digest) {
        int name = entry + ENTRY_SIZE;
        if (name > table.limit()) {
            return Integer.MAX_VALUE;
        }
        int nameLength = table.getChar(entry + NAME_LENGTH_AT);
        int next =
                name + nameLength + table.getChar(entry + EXTRA_LENGTH_AT) + table.getChar(entry + COMMENT_LENGTH_AT);
        if (next <= table.limit()) {
            digest.update(table.slice(entry + CRC_AT, Integer.BYTES));
            digest.update(table.slice(entry + SIZE_AT, Integer.BYTES));
            // the length as well, so that names are unambiguous
            digest.update(table.slice(entry + NAME_LENGTH_AT, Character.BYTES));
            digest.update(table.slice(name, nameLength));
        }
        return next;
    }
}
