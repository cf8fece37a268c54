package io.millrace.servlet.webdav;

import io.millrace.text.Digests;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Dead properties, which the server only stores (RFC 4918, 4): a file for each resource that has some, in the application's work
 * directory, which requests cannot access. Changes are atomic. Thread-safe.
 */
final class DeadProperties {

    /** The limit for the properties of one resource. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final int FORMAT = 1;

    private final Path directory;

    /**
     * The properties in a directory. Nothing is written before the first property is set.
     *
     * @param directory created on demand
     */
    DeadProperties(Path directory) {
        this.directory = directory;
    }

    /** The properties as serialized elements, in the order in which they were set. */
    Map<PropertyName, String> of(String path) throws IOException {
        try (InputStream in = Files.newInputStream(file(path))) {
            DataInputStream data = new DataInputStream(in);
            Map<PropertyName, String> properties = new LinkedHashMap<>();
            if (data.readInt() != FORMAT) {
                throw new IOException(file(path) + " is corrupt or was written by another version; delete it");
            }
            for (int left = data.readInt(); left > 0; left--) {
                properties.put(new PropertyName(text(data), text(data)), text(data));
            }
            return properties;
        } catch (NoSuchFileException none) {
            return new LinkedHashMap<>();
        }
    }

    /** Replaces all properties of a resource. */
    void set(String path, Map<PropertyName, String> properties) throws IOException, DavFault {
        if (properties.isEmpty()) {
            remove(path);
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeInt(FORMAT);
        data.writeInt(properties.size());
        for (Map.Entry<PropertyName, String> property : properties.entrySet()) {
            text(property.getKey().namespace(), data);
            text(property.getKey().local(), data);
            text(property.getValue(), data);
        }
        if (bytes.size() > MAX_BYTES) {
            throw new DavFault(MultiStatus.INSUFFICIENT_STORAGE);
        }
        Files.createDirectories(directory);
        Path written = Files.createTempFile(directory, "new", null);
        try {
            Files.write(written, bytes.toByteArray());
            replace(written, file(path));
        } finally {
            Files.deleteIfExists(written);
        }
    }

    void remove(String path) throws IOException {
        Files.deleteIfExists(file(path));
    }

    /** Replaces the properties of a resource by those of another. */
    void copy(String from, String to) throws IOException {
        if (Files.exists(file(from))) {
            Files.copy(file(from), file(to), StandardCopyOption.REPLACE_EXISTING);
        } else {
            remove(to);
        }
    }

    private static void replace(Path written, Path place) throws IOException {
        try {
            Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(Math.min(in.readInt(), MAX_BYTES)), StandardCharsets.UTF_8);
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** The file of a resource, whose name is a hash: valid in every file system, for paths of any length. */
    private Path file(String path) {
        return directory.resolve(Digests.hex(Digests.SHA_256, path));
    }
}
