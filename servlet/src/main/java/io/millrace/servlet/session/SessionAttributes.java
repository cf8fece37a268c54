package io.millrace.servlet.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** A session's attributes and the telling of those who want to know of changes. Any thread. */
final class SessionAttributes {

    private final Map<String, Object> values = new ConcurrentHashMap<>(4);
    private final HttpSession session;
    private final SessionListeners listeners;

    SessionAttributes(HttpSession session, SessionListeners listeners) {
        this.session = session;
        this.listeners = listeners;
    }

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** The value learns of it before anybody can get it (HttpSessionBindingListener.valueBound). */
    @SuppressWarnings("ReferenceEquality") // the same object set again is not unbound and bound
    void set(String name, Object value) {
        if (values.get(name) != value) {
            listeners.bound(session, name, value);
        }
        Object old = values.put(name, value);
        if (old == null) {
            listeners.attributeAdded(session, name, value);
            return;
        }
        if (old != value) {
            listeners.unbound(session, name, old);
        }
        listeners.attributeReplaced(session, name, old);
    }

    void remove(String name) {
        Object old = values.remove(name);
        if (old != null) {
            listeners.unbound(session, name, old);
            listeners.attributeRemoved(session, name, old);
        }
    }

    void clear() {
        names().forEach(this::remove);
    }
}
