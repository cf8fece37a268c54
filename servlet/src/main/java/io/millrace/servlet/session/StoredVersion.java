package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What of a session a store has, as far as its object on this server knows. Any thread. */
final class StoredVersion {

    private volatile @Nullable SessionRecord record;

    void is(@Nullable SessionRecord known) {
        record = known;
    }

    /** Null if it was never stored. */
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
