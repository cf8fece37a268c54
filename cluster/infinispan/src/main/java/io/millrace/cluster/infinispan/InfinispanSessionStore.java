package io.millrace.cluster.infinispan;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.util.CloseableIterator;
import org.infinispan.context.Flag;
import org.infinispan.partitionhandling.AvailabilityException;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one application in the cache of all applications, under the application's name, a zero byte and the session's key. A change is
 * a compare and set of the whole value at the server that has the first copy; it has succeeded when all copies have it.
 *
 * <p>A session ends in two steps: its value is replaced by one that says so, which only one caller can do, and is removed then. Thread-safe.
 */
final class InfinispanSessionStore implements SessionStore {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** As a net, for sessions of applications that no server has any more: listeners are notified by servers. */
    private static final long OUTLIVES_SECONDS = TimeUnit.HOURS.toSeconds(1);

    /** The same, for an end whose second step failed. */
    private static final long END_SECONDS = 60;

    private final ClusterNode node;
    private final String application;
    private final byte[] prefix;
    private volatile Duration timeout = DEFAULT_TIMEOUT;

    InfinispanSessionStore(ClusterNode node, String application) {
        if (application.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("an application's name has a zero byte");
        }
        this.node = node;
        this.application = application;
        prefix = (application + '\0').getBytes(StandardCharsets.UTF_8);
    }

    /** True: most calls find their session in this server's memory. */
    @Override
    public boolean limitCalls(Duration ofCalls) {
        timeout = ofCalls;
        return true;
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        StoredSession stored = new Call().get(key(key));
        return stored == null ? null : record(key, stored);
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        StoredSession stored = new Call().get(key(known.key()));
        if (stored == null) {
            return null;
        }
        return stored.version() == known.version() && stored.created() == known.created()
                ? known.withLastAccessed(stored.lastAccessed())
                : record(known.key(), stored);
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        byte[] key = key(session.key());
        Call call = new Call();
        if (session.version() == 0) {
            return call.putIfAbsent(key, StoredSession.of(session.withVersion(1)));
        }
        while (true) {
            StoredSession before = call.get(key);
            if (before == null || before.version() != session.version()) {
                return false;
            }
            StoredSession after = StoredSession.of(session.withVersion(session.version() + 1)
                    .withLastAccessed(Math.max(session.lastAccessed(), before.lastAccessed())));
            if (call.replace(key, before, after)) {
                return true;
            }
        }
    }

    @Override
    public boolean touch(String key, long lastAccessed) throws IOException {
        Call call = new Call();
        while (true) {
            StoredSession before = call.get(key(key));
            if (before == null || before.isExpired(lastAccessed)) {
                return false;
            }
            if (before.lastAccessed() >= lastAccessed || call.replace(key(key), before, before.touched(lastAccessed))) {
                return true;
            }
        }
    }

    @Override
    public boolean remove(String key) throws IOException {
        Call call = new Call();
        while (true) {
            StoredSession before = call.get(key(key));
            if (before == null) {
                return false;
            }
            if (call.end(key(key), before)) {
                return true;
            }
        }
    }

    /** Of those in this server's memory: each session is in that of some server. */
    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        Call call = new Call();
        List<SessionRecord> taken = new ArrayList<>();
        List<byte[]> expired = new ArrayList<>();
        call.scan(cache -> {
            for (Map.Entry<byte[], byte[]> entry :
                    cache.withFlags(Flag.CACHE_MODE_LOCAL).entrySet()) {
                StoredSession stored = StoredSession.of(entry.getValue());
                if (isMine(entry.getKey()) && !stored.isEnded() && stored.isExpired(now)) {
                    expired.add(entry.getKey());
                }
                if (expired.size() == most) {
                    break;
                }
            }
        });
        try {
            for (byte[] key : expired) {
                StoredSession before = call.get(key);
                if (before != null && before.isExpired(now) && call.end(key, before)) {
                    SessionRecord record = record(text(key), before);
                    if (record != null) {
                        taken.add(record);
                    }
                }
            }
        } catch (IOException e) {
            if (taken.isEmpty()) {
                throw e;
            } // the others are taken the next time; of these nobody else would be told
        }
        return taken;
    }

    @Override
    public int size() throws IOException {
        return keys(Integer.MAX_VALUE).size();
    }

    @Override
    public List<String> keys(int most) throws IOException {
        List<String> keys = new ArrayList<>();
        new Call().scan(cache -> {
            try (CloseableIterator<byte[]> all = cache.keySet().iterator()) {
                while (keys.size() < most && all.hasNext()) {
                    byte[] key = all.next();
                    if (isMine(key)) {
                        keys.add(text(key));
                    }
                }
            }
        });
        return keys;
    }

    @Override
    public String toString() {
        return node.toString();
    }

    // ---- keys and values

    private byte[] key(String key) {
        byte[] own = key.getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(prefix, prefix.length + own.length);
        System.arraycopy(own, 0, whole, prefix.length, own.length);
        return whole;
    }

    private boolean isMine(byte[] key) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private String text(byte[] key) {
        return new String(key, prefix.length, key.length - prefix.length, StandardCharsets.UTF_8);
    }

    /** Null if it is damaged; it is removed then. */
    private @Nullable SessionRecord record(String key, StoredSession stored) throws IOException {
        try {
            return stored.record();
        } catch (IOException e) {
            InfinispanLog.LOG.damaged(application, toString(), String.valueOf(e.getMessage()));
            new Call().end(key(key), stored);
            return null;
        }
    }

    // ---- calls

    private interface Operation<T> {
        CompletableFuture<T> of(AdvancedCache<byte[], byte[]> cache);
    }

    private interface Scan {
        void of(AdvancedCache<byte[], byte[]> cache);
    }

    /**
     * What a call asks the cache, all together within the timeout. What is refused because servers are missing is asked again while there is time:
     * they may be found to have ended. A change that is asked for twice may have happened the first time.
     */
    private final class Call {

        private final long end = System.nanoTime() + timeout.toNanos();

        /** @param isRead whether the answer may be that of a server that the others have given up; a change needs theirs */
        private <T> @Nullable T ask(boolean isRead, Operation<T> operation) throws IOException {
            try {
                while (true) {
                    CompletableFuture<T> answer = operation.of(node.cache(left()));
                    try {
                        T found = answer.get(Math.max(0, left()), TimeUnit.NANOSECONDS);
                        if (!isRead || node.isTrusted()) {
                            return found;
                        }
                    } catch (ExecutionException e) {
                        if (!isUnavailable(e)) {
                            throw failed(e.getCause() == null ? e : e.getCause());
                        }
                    }
                    if (left() <= 0) {
                        throw new IOException(
                                "other servers of the cluster do not answer, and may have changed the session");
                    }
                    node.awaitChange();
                }
            } catch (TimeoutException e) {
                throw new IOException(
                        "another server of the cluster did not answer within " + timeout.toMillis() + " ms", e);
            } catch (CacheException e) {
                throw failed(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the cluster", e);
            }
        }

        private long left() {
            return end - System.nanoTime();
        }

        /** Null if there is none, or it has ended. */
        @Nullable
        StoredSession get(byte[] key) throws IOException {
            byte[] found = ask(true, cache -> cache.getAsync(key));
            StoredSession stored = found == null ? null : StoredSession.of(found);
            return stored == null || stored.isEnded() ? null : stored;
        }

        boolean putIfAbsent(byte[] key, StoredSession session) throws IOException {
            byte[] before = ask(
                    false, cache -> cache.putIfAbsentAsync(key, session.bytes(), lifespan(session), TimeUnit.SECONDS));
            if (before == null) {
                confirm(key, session);
                return true;
            }
            if (session.isSame(before)) {
                return true;
            }
            StoredSession old = StoredSession.of(before);
            return old.isEnded() && replace(key, old, session);
        }

        boolean replace(byte[] key, StoredSession before, StoredSession after) throws IOException {
            boolean replaced = Boolean.TRUE.equals(ask(
                    false,
                    cache ->
                            cache.replaceAsync(key, before.bytes(), after.bytes(), lifespan(after), TimeUnit.SECONDS)));
            if (replaced) {
                confirm(key, after);
            }
            return replaced || after.isSame(ask(true, cache -> cache.getAsync(key)));
        }

        /** What was written while a server was lost may be on this side only: it counts if it is there when that has been decided. */
        private void confirm(byte[] key, StoredSession written) throws IOException {
            if (!node.isTrusted() && !written.isSame(ask(true, cache -> cache.getAsync(key)))) {
                throw new IOException("another server of the cluster was lost while the session was written");
            }
        }

        boolean end(byte[] key, StoredSession session) throws IOException {
            StoredSession ended = session.ended();
            if (!replace(key, session, ended)) {
                return false;
            }
            try {
                ask(false, cache -> cache.removeAsync(key, ended.bytes()));
            } catch (IOException e) {
                // it has ended, and is removed when its time has passed
            }
            return true;
        }

        void scan(Scan scan) throws IOException {
            try {
                scan.of(node.cache(left()));
            } catch (CacheException e) {
                throw failed(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the cluster", e);
            }
        }
    }

    private static long lifespan(StoredSession session) {
        if (session.isEnded()) {
            return END_SECONDS;
        }
        int idle = session.maxIdleSeconds();
        return idle <= 0 ? -1 : idle + OUTLIVES_SECONDS;
    }

    private static boolean isUnavailable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AvailabilityException) {
                return true;
            }
        }
        return false;
    }

    private static IOException failed(Throwable failure) {
        return new IOException(
                isUnavailable(failure)
                        ? "other servers of the cluster do not answer, and may have changed the session"
                        : "the cluster failed: " + failure,
                failure);
    }

    /**
     * A session as the cache has it: a number of the write, and the record, before which stands what changes or is compared without it:
     *
     * <pre>
     * write (8 bytes)  version (8)  created (8)  last access (8)  idle timeout in seconds (4)  record
     * </pre>
     *
     * <p>Without a record it says that the session has ended. The random number makes each write another value: Infinispan takes a value
     * that is already there for a success when it repeats a write, and two servers may write the same session at the same time.
     */
    private static final class StoredSession {

        private static final int VERSION = 8;
        private static final int CREATED = 16;
        private static final int LAST_ACCESSED = 24;
        private static final int IDLE = 32;
        private static final int HEADER = 36;
        private static final long MILLIS = 1000;

        private final byte[] bytes;
        private final ByteBuffer header;

        private StoredSession(byte[] bytes) {
            this.bytes = bytes;
            header = ByteBuffer.wrap(bytes);
        }

        /** What a cache had. */
        static StoredSession of(byte[] bytes) {
            return new StoredSession(bytes.length < HEADER ? new byte[HEADER] : bytes);
        }

        /** A write of a session. */
        static StoredSession of(SessionRecord session) {
            byte[] record = session.toBytes();
            StoredSession stored = new StoredSession(new byte[HEADER + record.length]);
            stored.header
                    .putLong(number())
                    .putLong(session.version())
                    .putLong(session.created())
                    .putLong(session.lastAccessed())
                    .putInt(session.maxIdleSeconds())
                    .put(record);
            return stored;
        }

        /** The end of a session. */
        StoredSession ended() {
            StoredSession ended = new StoredSession(Arrays.copyOf(bytes, HEADER));
            ended.header.putLong(0, number());
            return ended;
        }

        /** The session with a later access. */
        StoredSession touched(long time) {
            StoredSession touched = new StoredSession(bytes.clone());
            touched.header.putLong(0, number()).putLong(LAST_ACCESSED, time);
            return touched;
        }

        private static long number() {
            return ThreadLocalRandom.current().nextLong();
        }

        byte[] bytes() {
            return bytes;
        }

        boolean isEnded() {
            return bytes.length == HEADER;
        }

        boolean isSame(byte @Nullable [] other) {
            return Arrays.equals(bytes, other);
        }

        long version() {
            return header.getLong(VERSION);
        }

        long created() {
            return header.getLong(CREATED);
        }

        long lastAccessed() {
            return header.getLong(LAST_ACCESSED);
        }

        /** 0 or less: it never expires. */
        int maxIdleSeconds() {
            return header.getInt(IDLE);
        }

        boolean isExpired(long now) {
            return maxIdleSeconds() > 0 && lastAccessed() + maxIdleSeconds() * MILLIS <= now;
        }

        /**
         * Decodes the session.
         *
         * @throws IOException if it is damaged
         */
        SessionRecord record() throws IOException {
            return SessionRecord.fromBytes(Arrays.copyOfRange(bytes, HEADER, bytes.length))
                    .withLastAccessed(lastAccessed());
        }
    }
}
