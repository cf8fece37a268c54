package io.millrace.servlet.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestAttributeEvent;
import javax.servlet.ServletRequestAttributeListener;
import org.jspecify.annotations.Nullable;

/** A request's attributes, and who is told of changes. Not for two threads at once. */
final class RequestAttributes {

    private final Map<String, Object> values = new HashMap<>();
    private final HttpServletRequestImpl request;
    private final List<ServletRequestAttributeListener> listeners;

    RequestAttributes(HttpServletRequestImpl request, List<ServletRequestAttributeListener> listeners) {
        this.request = request;
        this.listeners = listeners;
    }

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    Enumeration<String> names() {
        return Collections.enumeration(new ArrayList<>(values.keySet()));
    }

    void set(String name, Object value) {
        Object before = values.put(name, value);
        if (!listeners.isEmpty()) {
            ServletRequestAttributeEvent event = event(name, before == null ? value : before);
            for (ServletRequestAttributeListener listener : listeners) {
                if (before == null) {
                    listener.attributeAdded(event);
                } else {
                    listener.attributeReplaced(event);
                }
            }
        }
    }

    void remove(String name) {
        Object before = values.remove(name);
        if (before != null && !listeners.isEmpty()) {
            ServletRequestAttributeEvent event = event(name, before);
            for (ServletRequestAttributeListener listener : listeners) {
                listener.attributeRemoved(event);
            }
        }
    }

    /** Sets without telling anybody: attributes the container owns. */
    void setQuietly(String name, @Nullable Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
    }

    private ServletRequestAttributeEvent event(String name, Object value) {
        ServletRequest source = request;
        return new ServletRequestAttributeEvent(request.getServletContext(), source, name, value);
    }
}
