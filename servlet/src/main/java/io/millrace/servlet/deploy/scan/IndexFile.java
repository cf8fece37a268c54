package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A file that caches scan results of an application's JARs between starts. It has only the JARs of the last start, so it does not
 * grow. Format, with lengths and numbers of four bytes each:
 *
 * <ol>
 *   <li>{@link #MAGIC} and {@link #VERSION}
 * <li>the length of the scan target's text, and the text
 * <li>the number of JARs; for each the length of its key, the key, the length of its result, the result
 * <li>CRC-32C of the preceding bytes
 * </ol>
 *
 * <p>An invalid file is treated as missing: everything is scanned, and the file is rewritten. Servers that share it replace the
 * whole file.
 */
final class IndexFile {

    private static final Logger LOG = Logger.getLogger(IndexFile.class);

    private static final int MAGIC = 0x4d524958;

    /** Must be incremented with every change of scan results or of the format. */
    private static final int VERSION = 1;

    /** The largest known application, with 169 JARs, takes 3 MB. */
    private static final int MAX_SIZE = 64 << 20;

    private static final String NAME = "classes.index";

    private final Path directory;
    private final Path file;
    private final byte[] target;

    /**
     * The file, which may not exist.
     *
     * @param directory the application's work directory
     * @param target the scan target: results of another target are discarded
     */
    IndexFile(Path directory, String target) {
        this.directory = directory;
        this.file = directory.resolve(NAME);
        this.target = target.getBytes(StandardCharsets.UTF_8);
    }

    /** The results by JAR key; empty if there is no usable file. */
    Map<JarKey, byte[]> read() {
        try {
            long size = Files.isRegularFile(file) ? Files.size(file) : 0;
            if (size > Integer.BYTES && size <= MAX_SIZE) {
                return jars(ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        } catch (IOException | BufferUnderflowException | IllegalArgumentException e) {
            LOG.debugf(e, "%s cannot be read, so all jars are scanned", file);
        }
        return Map.of();
    }

    private Map<JarKey, byte[]> jars(ByteBuffer in) {
        int end = in.limit() - Integer.BYTES;
        int checksum = in.getInt(end);
        in.limit(end);
        if (checksum(in.duplicate()) != checksum || in.getInt() != MAGIC || in.getInt() != VERSION) {
            throw new IllegalArgumentException("corrupt, or of another version");
        }
        Map<JarKey, byte[]> jars = new HashMap<>();
        if (Arrays.equals(bytes(in), target)) {
            for (int left = in.getInt(); left > 0; left--) {
                jars.put(new JarKey(new String(bytes(in), StandardCharsets.US_ASCII)), bytes(in));
            }
        }
        return jars;
    }

    private static byte[] bytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("invalid length " + length);
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** Replaces the file. If it cannot be written, only the next start is slower. */
    void write(Map<JarKey, byte[]> jars) {
        Path unfinished = null;
        try {
            byte[] contents = contents(jars);
            if (contents.length > MAX_SIZE) {
                LOG.debugf("%s is not written: %d bytes exceed the limit", file, contents.length);
                return;
            }
            // with a unique name, as another server may be writing it as well
            unfinished = Files.createTempFile(directory, NAME, ".unfinished");
            Files.write(unfinished, contents);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.debugf(e, "%s cannot be written", file);
            delete(unfinished);
        }
    }

    private static void delete(@Nullable Path unfinished) {
        try {
            if (unfinished != null) {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            LOG.debugf(e, "%s cannot be deleted", unfinished);
        }
    }

    private byte[] contents(Map<JarKey, byte[]> jars) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        write(out, target);
        out.writeInt(jars.size());
        for (Map.Entry<JarKey, byte[]> jar : jars.entrySet()) {
            write(out, jar.getKey().text().getBytes(StandardCharsets.US_ASCII));
            write(out, jar.getValue());
        }
        out.writeInt(checksum(ByteBuffer.wrap(bytes.toByteArray())));
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
