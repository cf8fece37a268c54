package io.millrace.servlet.session.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A session as it is stored. Neither the maps nor the arrays in them are to be changed.
 *
 * @param key its id without the route of a server
 * @param version counts the writes, from 1; 0 for one that was never stored
 * @param created milliseconds since 1970
 * @param lastAccessed milliseconds since 1970
 * @param maxIdleSeconds 0 or less: it never expires
 * @param attributes each serialized by itself
 * @param notes what the container remembers of the session, serialized
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

    /** When it expires; {@code Long.MAX_VALUE}: never. */
    public long expires() {
        return maxIdleSeconds <= 0 ? Long.MAX_VALUE : lastAccessed + maxIdleSeconds * MILLIS;
    }

    /** The same as of another version. */
    public SessionRecord withVersion(long newVersion) {
        return new SessionRecord(key, newVersion, created, lastAccessed, maxIdleSeconds, attributes, notes);
    }

    /** The same, used at another time. */
    public SessionRecord withLastAccessed(long time) {
        return new SessionRecord(key, version, created, time, maxIdleSeconds, attributes, notes);
    }

    /** The same with other attributes beside its own; those without bytes are taken away. */
    public SessionRecord withChanges(Map<String, byte[]> set, Iterable<String> removed) {
        Map<String, byte[]> merged = new HashMap<>(attributes);
        merged.putAll(set);
        removed.forEach(merged::remove);
        return new SessionRecord(key, version, created, lastAccessed, maxIdleSeconds, merged, notes);
    }

    /** For stores that keep bytes: a format with a magic number, a version of its own and a checksum. */
    public byte[] toBytes() {
        return RecordFormat.write(this);
    }

    /**
     * Reads what {@link #toBytes} wrote. Does not deserialize attributes.
     *
     * @throws IOException if it is anything else, or was damaged
     */
    public static SessionRecord fromBytes(byte[] bytes) throws IOException {
        return RecordFormat.read(bytes);
    }
}
