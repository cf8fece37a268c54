package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** The HttpSession of an application. Thread-safe. */
@SuppressWarnings("InlineMeSuggester") // the deprecated methods are the API's
final class LiveSession implements HttpSession {

    private final Sessions sessions;
    private final SessionLife life;
    private final SessionAttributes attributes;
    private final LoginNote login;
    private final SessionMembership membership;
    private final StoredVersion stored = new StoredVersion();
    private volatile String key;

    private LiveSession(Sessions sessions, String key, SessionLife life, @Nullable SessionRecord record) {
        this.sessions = sessions;
        this.life = life;
        this.key = key;
        membership = new SessionMembership(this, life);
        attributes = sessions.attributesOf(this);
        login = new LoginNote(sessions.codec(), sessions.keepsLogins(), record);
        if (record != null) {
            stored.set(record);
            attributes.refresh(Map.of(), record.attributes());
        }
    }

    /** A new session, in use by the request that created it. */
    static LiveSession begun(Sessions sessions, String key, int maxIdleSeconds) {
        return new LiveSession(sessions, key, SessionLife.begun(sessions.now(), maxIdleSeconds), null);
    }

    /** A session from a store, not in use yet. */
    static LiveSession of(Sessions sessions, SessionRecord record) {
        SessionLife life = SessionLife.resumed(record.created(), record.lastAccessed(), record.maxIdleSeconds());
        return new LiveSession(sessions, record.key(), life, record);
    }

    SessionLife life() {
        return life;
    }

    SessionAttributes attributes() {
        return attributes;
    }

    /** The sessions that end with this one. */
    SessionMembership membership() {
        return membership;
    }

    StoredVersion stored() {
        return stored;
    }

    /** The session's id without the route of a server. */
    String key() {
        return key;
    }

    void key(String newKey) {
        key = newKey;
    }

    LoginNote loginNote() {
        return login;
    }

    /**
     * Who logged in during this session; not an attribute, so that the application can't change it. Nobody, if the login can end
     * elsewhere and this server would not learn of it.
     */
    @Nullable
    SessionLogin login() {
        SessionLogin known = login.get();
        return known == null || known.group() == null || sessions.groups() != null ? known : null;
    }

    /**
     * Whether the group that the session is in, possibly since it was used on another server, has ended. May block.
     *
     * @throws SessionUnavailableException if it cannot be known now
     */
    boolean isOfEndedGroup() {
        SessionGroups groups = sessions.groups();
        if (groups == null) {
            return false; // a group of this server ends its sessions
        }
        SessionGroup group = membership.group();
        SessionLogin known = login.get();
        if (known != null && known.group() != null) {
            group = groups.named(known.group());
            membership.join(group);
        }
        return group != null && group.isOver(life.maxIdleSeconds());
    }

    void login(@Nullable SessionLogin newLogin) {
        login.set(newLogin);
    }

    /** Takes over what another server has written, if it is newer; what this one has changed since stays. */
    void refresh(SessionRecord record) {
        if (stored.isOlderThan(record)) {
            SessionRecord known = stored.record();
            refresh(stored.attributes(), known == null ? record.maxIdleSeconds() : known.maxIdleSeconds(), record);
            login.refresh(record);
        }
    }

    /**
     * Takes over a stored record, without its login.
     *
     * @param known the attributes that this server last knew to be stored, or has stored now
     * @param knownIdle the timeout that it last knew, or has stored now
     */
    void refresh(Map<String, byte[]> known, int knownIdle, SessionRecord next) {
        stored.set(next);
        life.usedElsewhere(next.lastAccessed(), knownIdle, next.maxIdleSeconds());
        attributes.refresh(known, next.attributes());
    }

    /** Everything that can be stored, to replace a version of it in a store. */
    SessionRecord toRecord(long version) {
        return new SessionRecord(
                key,
                version,
                life.created(),
                life.lastUsed(),
                life.maxIdleSeconds(),
                attributes.frozen(),
                login.frozen());
    }

    @Override
    public String getId() {
        return sessions.id(key);
    }

    @Override
    public ServletContext getServletContext() {
        return sessions.context();
    }

    @Override
    public long getCreationTime() {
        check("getCreationTime");
        return life.created();
    }

    @Override
    public long getLastAccessedTime() {
        check("getLastAccessedTime");
        return life.lastAccessed();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        life.maxIdleSeconds(seconds);
    }

    @Override
    public int getMaxInactiveInterval() {
        return life.maxIdleSeconds();
    }

    @Override
    public @Nullable Object getAttribute(@Nullable String name) {
        check("getAttribute");
        return name == null ? null : attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        check("getAttributeNames");
        return Collections.enumeration(attributes.names());
    }

    @Override
    public void setAttribute(@Nullable String name, @Nullable Object value) {
        check("setAttribute");
        if (name == null) {
            throw new IllegalArgumentException("setAttribute: the name of the session attribute is null");
        }
        if (value == null) {
            attributes.remove(name);
        } else {
            sessions.requireStorable(name, value);
            attributes.set(name, value);
        }
    }

    @Override
    public void removeAttribute(@Nullable String name) {
        check("removeAttribute");
        if (name != null) {
            attributes.remove(name);
        }
    }

    @Override
    public void invalidate() {
        check("invalidate");
        SessionGroup group = membership.group();
        if (life.invalidate()) {
            sessions.statistics().addInvalidated();
            try {
                sessions.end(this);
            } finally {
                if (group != null) {
                    group.end();
                }
            }
        }
    }

    @Override
    public boolean isNew() {
        check("isNew");
        return life.isNew();
    }

    @Override
    @Deprecated
    public @Nullable Object getValue(String name) {
        return getAttribute(name);
    }

    @Override
    @Deprecated
    public String[] getValueNames() {
        check("getValueNames");
        return attributes.names().toArray(String[]::new);
    }

    @Override
    @Deprecated
    public void putValue(String name, @Nullable Object value) {
        setAttribute(name, value);
    }

    @Override
    @Deprecated
    public void removeValue(String name) {
        removeAttribute(name);
    }

    /** Null: sessions can't be listed, which is why the API has deprecated this since Servlet 2.1. */
    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public javax.servlet.http.@Nullable HttpSessionContext getSessionContext() {
        return null;
    }

    private void check(String method) {
        if (!life.isUsable()) {
            throw new IllegalStateException(
                    method + ": the session has been invalidated or passivated; call getSession() for the present one");
        }
    }

    /** The login of a session, possibly read from a store. Thread-safe. */
    static final class LoginNote {

        /** Of the note in records. */
        static final String NAME = "login";

        private final SessionCodec codec;
        private final boolean kept;
        private volatile @Nullable SerializedAttribute frozen;
        private volatile @Nullable SessionLogin login;

        /** Logins and log-outs, and how many of them the store knows: one may happen while an earlier one is written. */
        private volatile int changes;

        private volatile int written;

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

        synchronized void set(@Nullable SessionLogin newLogin) {
            changes++;
            login = newLogin;
            frozen = null;
        }

        /** Takes over a change by another server, unless this server has changed it. */
        synchronized void refresh(SessionRecord record) {
            if (changes == written) {
                frozen = in(record);
                login = null;
            }
        }

        /** Gives up what could not be written. */
        synchronized void revert(@Nullable SessionRecord record) {
            login = null;
            frozen = record == null ? null : in(record);
            written = changes;
        }

        /** Whether it differs from the store. */
        boolean isChanged() {
            return changes != written && kept;
        }

        /** The number of changes, to be read before what is written. */
        int changes() {
            return changes;
        }

        /** Whether the user has logged out, and the store does not know it. */
        boolean isRemoved() {
            return isChanged() && login == null && frozen == null;
        }

        /** Records that the store has it as it was after so many changes. */
        void written(int upTo) {
            written = upTo;
        }

        /** The serialized login; empty if there is none, or it can't be serialized. */
        synchronized Map<String, byte[]> frozen() {
            SerializedAttribute stored = frozen;
            if (stored != null) {
                return Map.of(NAME, stored.bytes());
            }
            SessionLogin now = kept ? login : null;
            byte[] bytes = now == null ? null : codec.freezeNote(NAME, now);
            return bytes == null ? Map.of() : Map.of(NAME, bytes);
        }
    }

    /** The group of a session. Thread-safe. */
    static final class SessionMembership {

        private final HttpSession session;
        private final SessionLife life;
        private @Nullable SessionGroup group;

        SessionMembership(HttpSession session, SessionLife life) {
            this.session = session;
            this.life = life;
        }

        /** Moves the session to a group; false if the group or the session has ended. */
        synchronized boolean join(SessionGroup next) {
            if (!life.isAlive()) {
                return false; // the thread that ends the session calls leave, which takes this lock
            }
            if (next.equals(group)) {
                return true;
            }
            leave();
            if (!next.add(session)) {
                return false;
            }
            group = next;
            return true;
        }

        /** Leaves the group. Called once the session has ended or left memory. */
        synchronized void leave() {
            SessionGroup left = group;
            group = null;
            if (left != null) {
                left.left(session);
            }
        }

        /** The group; null if there is none. */
        synchronized @Nullable SessionGroup group() {
            return group;
        }
    }

    /** The last version of a session that this server read from or wrote to the store. Thread-safe. */
    static final class StoredVersion {

        private volatile @Nullable SessionRecord record;

        void set(@Nullable SessionRecord known) {
            record = known;
        }

        /** The record; null if the session was never stored. */
        @Nullable
        SessionRecord record() {
            return record;
        }

        /** Records that the store has been told of an access. */
        void accessed(long time) {
            SessionRecord known = record;
            if (known != null && known.lastAccessed() < time) {
                record = known.withLastAccessed(time);
            }
        }

        boolean isOlderThan(SessionRecord other) {
            SessionRecord known = record;
            return known == null || known.version() < other.version();
        }

        Map<String, byte[]> attributes() {
            SessionRecord known = record;
            return known == null ? Map.of() : known.attributes();
        }
    }
}
