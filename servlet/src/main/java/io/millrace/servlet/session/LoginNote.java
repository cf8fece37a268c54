package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The login of a session, possibly read from a store. Thread-safe. */
final class LoginNote {

    private static final String NAME = "login";

    private final SessionCodec codec;
    private final boolean kept;
    private volatile @Nullable SerializedAttribute frozen;
    private volatile @Nullable SessionLogin login;
    private volatile boolean changed;

    /** @param kept true if it is stored with the session */
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

    /** Takes over a change by another server, unless this server has changed it. */
    void refresh(SessionRecord record) {
        if (!changed) {
            frozen = in(record);
        }
    }

    /** True if it differs from the store. */
    boolean isChanged() {
        return changed && kept;
    }

    /** True if the user has logged out, and the store does not know it. */
    boolean isRemoved() {
        return isChanged() && login == null && frozen == null;
    }

    /** Records that it was written to the store. */
    void written() {
        changed = false;
    }

    /** The serialized login; empty if there is none, or it can't be serialized. */
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
