package io.millrace.servlet.session.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

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
}
