package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import java.util.Collections;
import java.util.Enumeration;
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
            attributes.refresh(record.attributes());
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

    /** Who logged in during this session; not an attribute, so that the application can't change it. */
    @Nullable
    SessionLogin login() {
        return login.get();
    }

    void login(@Nullable SessionLogin newLogin) {
        login.set(newLogin);
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
}
