package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who logged in during a session, from a store perhaps. Any thread. */
final class LoginNote {

    private static final String NAME = "login";

    private final SessionCodec codec;
    private final boolean kept;
    private volatile @Nullable SerializedAttribute frozen;
    private volatile @Nullable SessionLogin login;
    private volatile boolean changed;

    /**
     * @param kept goes into a store with the session
     */
    LoginNote(SessionCodec codec, boolean kept, @Nullable SessionRecord record) {
        this.codec = codec;
        this.kept = kept;
        frozen = record == null ? null : in(record);
    }

    private static @Nullable SerializedAttribute in(SessionRecord record) {
        byte[] bytes = record.notes().get(NAME);
        return bytes == null ? null : new SerializedAttribute(bytes);
    }

    @Nullable
    SessionLogin get() {
        SerializedAttribute stored = frozen;
        if (stored == null) {
            return login;
        }
        return stored.thaw(codec, NAME, thawed -> {}) instanceof SessionLogin known ? known : null;
    }

    void set(@Nullable SessionLogin newLogin) {
        changed = true;
        login = newLogin;
        frozen = null;
    }

    /** Another server may have changed it; what was changed here counts. */
    void refresh(SessionRecord record) {
        if (!changed) {
            frozen = in(record);
        }
    }

    /** Does it differ from what the store had? */
    boolean isChanged() {
        return changed && kept;
    }

    /** The store has it. */
    void written() {
        changed = false;
    }

    /** Empty if no user has logged in, or the user can't be serialized. */
    Map<String, byte[]> frozen() {
        SerializedAttribute stored = frozen;
        if (stored != null) {
            return Map.of(NAME, stored.bytes());
        }
        SessionLogin now = kept ? login : null;
        byte[] bytes = now == null ? null : codec.freezeNote(NAME, now);
        return bytes == null ? Map.of() : Map.of(NAME, bytes);
    }
}
