package io.millrace.servlet.session;

import java.util.EventListener;
import java.util.List;
import java.util.ListIterator;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionActivationListener;
import javax.servlet.http.HttpSessionAttributeListener;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionBindingListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;

/** Notifies an application's listeners. An exception from one is logged, and the remaining listeners are notified. */
final class SessionListeners {

    private final List<HttpSessionListener> sessions = new CopyOnWriteArrayList<>();
    private final List<HttpSessionAttributeListener> attributes = new CopyOnWriteArrayList<>();
    private final List<HttpSessionIdListener> ids = new CopyOnWriteArrayList<>();

    void add(EventListener listener) {
        if (listener instanceof HttpSessionListener life) {
            sessions.add(life);
        }
        if (listener instanceof HttpSessionAttributeListener attribute) {
            attributes.add(attribute);
        }
        if (listener instanceof HttpSessionIdListener id) {
            ids.add(id);
        }
    }

    void created(HttpSession session) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        each(sessions, listener -> listener.sessionCreated(event));
    }

    /** Notifies in reverse order (Servlet 3.1, 11.3.4). */
    void destroyed(HttpSession session) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        ListIterator<HttpSessionListener> last = sessions.listIterator(sessions.size());
        while (last.hasPrevious()) {
            call(last.previous(), listener -> listener.sessionDestroyed(event));
        }
    }

    void idChanged(HttpSession session, String oldId) {
        HttpSessionEvent event = new HttpSessionEvent(session);
        each(ids, listener -> listener.sessionIdChanged(event, oldId));
    }

    void attributeAdded(HttpSession session, String name, Object value) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, value);
            each(attributes, listener -> listener.attributeAdded(event));
        }
    }

    /** The event carries the old value. */
    void attributeReplaced(HttpSession session, String name, Object old) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, old);
            each(attributes, listener -> listener.attributeReplaced(event));
        }
    }

    void attributeRemoved(HttpSession session, String name, Object old) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, old);
            each(attributes, listener -> listener.attributeRemoved(event));
        }
    }

    /** Notifies the value itself, if it is a binding listener. */
    void bound(HttpSession session, String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            call(listener, it -> it.valueBound(new HttpSessionBindingEvent(session, name, value)));
        }
    }

    void unbound(HttpSession session, String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            call(listener, it -> it.valueUnbound(new HttpSessionBindingEvent(session, name, value)));
        }
    }

    /** Notifies a value that was deserialized. */
    void activated(HttpSession session, Object value) {
        if (value instanceof HttpSessionActivationListener listener) {
            call(listener, it -> it.sessionDidActivate(new HttpSessionEvent(session)));
        }
    }

    /** Notifies a value that will be serialized. */
    void passivating(HttpSession session, Object value) {
        if (value instanceof HttpSessionActivationListener listener) {
            call(listener, it -> it.sessionWillPassivate(new HttpSessionEvent(session)));
        }
    }

    private static <L> void each(List<L> listeners, Consumer<L> event) {
        for (L listener : listeners) {
            call(listener, event);
        }
    }

    private static <L> void call(L listener, Consumer<L> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) { // also undeclared checked exceptions, which other JVM languages allow
            SessionLog.LOG.listenerFailed(listener.getClass().getName(), e);
        }
    }
}
