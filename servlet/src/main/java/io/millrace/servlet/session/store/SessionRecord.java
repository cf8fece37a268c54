package io.millrace.servlet.session.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A session as a store keeps it. The maps are unmodifiable; the arrays in them must not be changed.
 *
 * @param key the session id without the route of a server
 * @param version the number of writes; 0 for a session that was never stored
 * @param created time of creation, in milliseconds since 1970
 * @param lastAccessed time of the last access, in milliseconds since 1970
 * @param maxIdleSeconds idle timeout in seconds; 0 or less: the session never expires
 * @param attributes the attributes, each serialized on its own
 * @param notes serialized data of the container, such as the login
 */
public record SessionRecord(
        String key,
        long version,
        long created,
        long lastAccessed,
        int maxIdleSeconds,
        Map<String, byte[]> attributes,
        Map<String, byte[]> notes) {

    private static final long MILLIS = 1000;

    public SessionRecord {
        attributes = Map.copyOf(attributes);
        notes = Map.copyOf(notes);
    }

    /** When the session expires, in milliseconds since 1970; {@code Long.MAX_VALUE}: never. */
    public long expires() {
        return maxIdleSeconds <= 0 ? Long.MAX_VALUE : lastAccessed + maxIdleSeconds * MILLIS;
    }

    /** Returns a copy with another key. */
    public SessionRecord withKey(String newKey) {
        return new SessionRecord(newKey, version, created, lastAccessed, maxIdleSeconds, attributes, notes);
    }

    /** Returns a copy with another version. */
    public SessionRecord withVersion(long newVersion) {
        return new SessionRecord(key, newVersion, created, lastAccessed, maxIdleSeconds, attributes, notes);
    }

    /** Returns a copy with another time of the last access. */
    public SessionRecord withLastAccessed(long time) {
        return new SessionRecord(key, version, created, time, maxIdleSeconds, attributes, notes);
    }

    /**
     * Returns a copy with changed attributes.
     *
     * @param set attributes to add or replace
     * @param removed names of attributes to remove
     */
    public SessionRecord withChanges(Map<String, byte[]> set, Iterable<String> removed) {
        Map<String, byte[]> merged = new HashMap<>(attributes);
        merged.putAll(set);
        removed.forEach(merged::remove);
        return new SessionRecord(key, version, created, lastAccessed, maxIdleSeconds, merged, notes);
    }

    /** Returns a copy with other notes. */
    public SessionRecord withNotes(Map<String, byte[]> newNotes) {
        return new SessionRecord(key, version, created, lastAccessed, maxIdleSeconds, attributes, newNotes);
    }

    /** Encodes the session for stores of bytes, in a format with a magic number, a format version and a checksum. */
    public byte[] toBytes() {
        return RecordFormat.write(this);
    }

    /**
     * Decodes what {@link #toBytes} returned. Does not deserialize attributes.
     *
     * @throws IOException if the bytes are not a session, of an unsupported format, or corrupt
     */
    public static SessionRecord fromBytes(byte[] bytes) throws IOException {
        return RecordFormat.read(bytes);
    }

    /**
     * The binary format of a session, big-endian: magic number and format (4 bytes), idle timeout in seconds (4), version (8),
     * created (8), last accessed (8), key, attributes, notes, CRC-32C of the preceding bytes (4). Strings and values are preceded by
     * their length (4), maps by the number of entries (4).
     */
    static final class RecordFormat {

        /** "MSR" and the format version. */
        private static final int MAGIC = 0x4d53_5201;

        /** The size of the fields before the key. */
        static final int HEADER = 32;

        private static final int CHECKSUM = 4;

        private RecordFormat() {}

        static byte[] write(SessionRecord session) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                out.writeInt(MAGIC);
                out.writeInt(session.maxIdleSeconds());
                out.writeLong(session.version());
                out.writeLong(session.created());
                out.writeLong(session.lastAccessed());
                write(session.key().getBytes(StandardCharsets.UTF_8), out);
                write(session.attributes(), out);
                write(session.notes(), out);
                out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory failed", e);
            }
            return bytes.toByteArray();
        }

        /** The idle timeout in a {@linkplain #HEADER header}. */
        static int maxIdleSeconds(ByteBuffer header) {
            return header.getInt(Integer.BYTES);
        }

        /** Whether the beginning of a record is that of a record with the same version and time of creation; false if too short. */
        static boolean isVersion(ByteBuffer header, SessionRecord record) {
            return header.remaining() >= HEADER
                    && header.getInt(0) == MAGIC
                    && header.getLong(2 * Integer.BYTES) == record.version()
                    && header.getLong(2 * Integer.BYTES + Long.BYTES) == record.created();
        }

        private static void write(Map<String, byte[]> values, DataOutputStream out) throws IOException {
            out.writeInt(values.size());
            for (Map.Entry<String, byte[]> entry : values.entrySet()) {
                write(entry.getKey().getBytes(StandardCharsets.UTF_8), out);
                write(entry.getValue(), out);
            }
        }

        private static void write(byte[] value, DataOutputStream out) throws IOException {
            out.writeInt(value.length);
            out.write(value);
        }

        static SessionRecord read(byte[] bytes) throws IOException {
            int end = bytes.length - CHECKSUM;
            if (end < HEADER || ByteBuffer.wrap(bytes).getInt() != MAGIC) {
                throw new IOException("the magic number is wrong: not a session, or one of an unsupported format");
            }
            if (ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
                throw new IOException("the checksum is wrong: the session is truncated or was changed");
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, Integer.BYTES, end))) {
                int maxIdleSeconds = in.readInt();
                long version = in.readLong();
                long created = in.readLong();
                long lastAccessed = in.readLong();
                return new SessionRecord(text(in), version, created, lastAccessed, maxIdleSeconds, map(in), map(in));
            }
        }

        /** Checks the length against the remaining bytes before allocating memory. */
        private static byte[] value(DataInputStream in) throws IOException {
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException("found the length " + length + " before the last " + in.available() + " bytes");
            }
            return in.readNBytes(length);
        }

        private static String text(DataInputStream in) throws IOException {
            return new String(value(in), StandardCharsets.UTF_8);
        }

        private static Map<String, byte[]> map(DataInputStream in) throws IOException {
            int size = in.readInt();
            Map<String, byte[]> values = new HashMap<>();
            for (int i = 0; i < size; i++) {
                values.put(text(in), value(in));
            }
            return values;
        }

        private static int checksum(byte[] bytes, int length) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, 0, length);
            return (int) crc.getValue();
        }
    }
}
