package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last version of a session that this server read from or wrote to the store. Thread-safe. */
final class StoredVersion {

    private volatile @Nullable SessionRecord record;

    void set(@Nullable SessionRecord known) {
        record = known;
    }

    /** The record; null if the session was never stored. */
    @Nullable
    SessionRecord record() {
        return record;
    }

    boolean isOlderThan(SessionRecord other) {
        SessionRecord known = record;
        return known == null || known.version() < other.version();
    }

    Set<String> attributeNames() {
        SessionRecord known = record;
        return known == null ? Set.of() : known.attributes().keySet();
    }
}
