package io.millrace.servlet.session.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store in the memory of this process, for several servers in it, and for testing applications as in a cluster. */
public final class MemorySessionStore implements SessionStore {

    private final Map<String, SessionRecord> records = new ConcurrentHashMap<>();

    /** Creates an empty store. */
    public MemorySessionStore() {}

    @Override
    public boolean limitCalls(Duration timeout) {
        return true;
    }

    @Override
    public @Nullable SessionRecord read(String key) {
        return records.get(key);
    }

    @Override
    public Access access(String key, @Nullable SessionRecord known, long time) {
        SessionRecord before = records.get(key);
        return new Access(before, touch(key, time));
    }

    @Override
    public boolean write(SessionRecord session) {
        SessionRecord next = session.withVersion(session.version() + 1);
        SessionRecord now = records.compute(session.key(), (key, stored) -> {
            long version = stored == null ? 0 : stored.version();
            return version == session.version() ? next : stored;
        });
        return sameObject(now, next);
    }

    @Override
    public boolean touch(String key, long lastAccessed) {
        SessionRecord now = records.computeIfPresent(
                key,
                (same, stored) -> stored.lastAccessed() < lastAccessed && stored.expires() > lastAccessed
                        ? stored.withLastAccessed(lastAccessed)
                        : stored);
        return now != null && now.expires() > lastAccessed;
    }

    @Override
    public boolean remove(String key) {
        return records.remove(key) != null;
    }

    @Override
    public List<SessionRecord> takeExpired(long now, int most) {
        List<SessionRecord> taken = new ArrayList<>();
        for (SessionRecord stored : List.copyOf(records.values())) {
            if (taken.size() < most && stored.expires() <= now && records.remove(stored.key(), stored)) {
                taken.add(stored);
            }
        }
        return taken;
    }

    @Override
    public int size() {
        return records.size();
    }

    @Override
    public List<String> keys(int most) {
        return records.keySet().stream().limit(most).toList();
    }

    @Override
    public String toString() {
        return "memory of this process";
    }

    @SuppressWarnings("ReferenceEquality") // true if this record was stored
    private static boolean sameObject(@Nullable Object one, Object other) {
        return one == other;
    }
}
