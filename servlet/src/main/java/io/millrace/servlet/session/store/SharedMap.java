package io.millrace.servlet.session.store;

import io.millrace.text.Digests;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Small values that several servers share beside their sessions: who is signed on, how often a name was guessed. It is kept in any
 * {@link SessionStore}, under a name of its own, so that every store of sessions is one of these too. Keys are stored as digests:
 * who reads the store learns no cookie and no name. Times are milliseconds since 1970. Thread-safe; its methods may block.
 */
public final class SharedMap {

    private static final String VALUE = "value";
    private static final int SWEPT_AT_A_TIME = 100;

    private final SessionStore store;
    private final AtomicInteger updates = new AtomicInteger();

    /**
     * A value in the map.
     *
     * @param value must not be changed
     * @param version the number of writes
     */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    public record Entry(byte[] value, long version) {}

    /**
     * Makes a map of what a store has.
     *
     * @param store used for nothing else
     */
    public SharedMap(SessionStore store) {
        this.store = store;
    }

    /**
     * The value of a key; null if there is none. One that has expired may be returned.
     *
     * @throws IOException if the store does not answer
     */
    public @Nullable Entry get(String key) throws IOException {
        SessionRecord record = store.read(digest(key));
        return record == null ? null : entry(record);
    }

    /**
     * Sets the value of a key, if it still has the version that the caller knows.
     *
     * @param version the version to replace; 0: there must be none
     * @param now the time from which it may be idle
     * @param idleSeconds when it expires if it is not touched; 0 or less: never
     * @return false if there is another version or none; nothing was written
     * @throws IOException if the store does not answer; the value may have been written
     */
    public boolean put(String key, byte[] value, long version, long now, int idleSeconds) throws IOException {
        return store.write(
                new SessionRecord(digest(key), version, now, now, idleSeconds, Map.of(VALUE, value), Map.of()));
    }

    /**
     * Replaces the value of a key by one that is made of it; again, if another server has replaced it meanwhile. One call in a hundred
     * removes values that have expired, up to a hundred.
     *
     * @param now the time from which it may be idle
     * @param idleSeconds when it expires if it is not touched; 0 or less: never
     * @param next makes the value of the present one, which is null if there is none; null: nothing is written. Called for each attempt
     * @return false if nothing was to be written
     * @throws IOException if the store does not answer, or others have replaced the value for two seconds; it may have been written
     */
    public boolean update(String key, long now, int idleSeconds, UnaryOperator<byte @Nullable []> next)
            throws IOException {
        RetryBackoff attempts = new RetryBackoff();
        do {
            Entry before = get(key);
            byte[] value = next.apply(before == null ? null : before.value());
            if (value == null) {
                return false;
            }
            if (put(key, value, before == null ? 0 : before.version(), now, idleSeconds)) {
                sweepNowAndThen(now);
                return true;
            }
            attempts.pause();
        } while (attempts.mayContinue());
        throw new IOException("concurrent writes by other servers, retries exhausted");
    }

    /** If it fails, another call does it; the update has succeeded. */
    private void sweepNowAndThen(long now) {
        if (updates.incrementAndGet() % SWEPT_AT_A_TIME == 0) {
            try {
                takeExpired(now, SWEPT_AT_A_TIME);
            } catch (IOException notSwept) {
                // the guard of the store has counted it
            }
        }
    }

    /**
     * Records that a value is in use.
     *
     * @return false if there is none, or it has expired
     * @throws IOException if the store does not answer
     */
    public boolean touch(String key, long now) throws IOException {
        return store.touch(digest(key), now);
    }

    /**
     * Removes a value.
     *
     * @return true for the one caller that removed it
     * @throws IOException if the store does not answer; the value may have been removed
     */
    public boolean remove(String key) throws IOException {
        return store.remove(digest(key));
    }

    /**
     * Removes values that have expired, and returns them, each to one caller only.
     *
     * @param most largest number to return
     * @throws IOException if the store does not answer
     */
    public List<Entry> takeExpired(long now, int most) throws IOException {
        return store.takeExpired(now, most).stream().map(SharedMap::entry).toList();
    }

    @Override
    public String toString() {
        return store.toString();
    }

    /** Of the characters and the length that every store accepts. */
    private static String digest(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Digests.sha256(key));
    }

    private static Entry entry(SessionRecord record) {
        return new Entry(record.attributes().getOrDefault(VALUE, new byte[0]), record.version());
    }
}
