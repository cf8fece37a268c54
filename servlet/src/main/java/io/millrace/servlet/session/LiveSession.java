package io.millrace.servlet.session;

import java.util.Collections;
import java.util.Enumeration;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** A session, as the application sees it. Any thread. */
@SuppressWarnings("InlineMeSuggester") // the deprecated methods are the API's
final class LiveSession implements HttpSession {

    private final Sessions sessions;
    private final SessionLife life;
    private final SessionAttributes attributes;
    private volatile String id;
    private volatile @Nullable SessionLogin login;

    LiveSession(Sessions sessions, SessionListeners listeners, String id, SessionLife life) {
        this.sessions = sessions;
        this.life = life;
        this.id = id;
        attributes = new SessionAttributes(this, listeners);
    }

    SessionLife life() {
        return life;
    }

    SessionAttributes attributes() {
        return attributes;
    }

    void id(String newId) {
        id = newId;
    }

    /** Who logged in during this session; not an attribute, so that the application can't change it. */
    @Nullable
    SessionLogin login() {
        return login;
    }

    void login(@Nullable SessionLogin newLogin) {
        login = newLogin;
    }

    @Override
    public String getId() {
        return id;
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
    public @Nullable Object getAttribute(String name) {
        check("getAttribute");
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        check("getAttributeNames");
        return Collections.enumeration(attributes.names());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        check("setAttribute");
        if (name == null) {
            throw new IllegalArgumentException("A session attribute's name is null.");
        }
        if (value == null) {
            attributes.remove(name);
        } else {
            attributes.set(name, value);
        }
    }

    @Override
    public void removeAttribute(String name) {
        check("removeAttribute");
        attributes.remove(name);
    }

    @Override
    public void invalidate() {
        check("invalidate");
        if (life.invalidate()) {
            sessions.end(this);
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
        if (life.isEnded()) {
            throw new IllegalStateException(method + ": the session has been invalidated.");
        }
    }
}
