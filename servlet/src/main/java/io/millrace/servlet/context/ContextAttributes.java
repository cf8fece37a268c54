package io.millrace.servlet.context;

import io.millrace.servlet.dispatch.DispatchMessages;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import org.jspecify.annotations.Nullable;

/** A context's attributes; notifies listeners of changes. Thread-safe. */
final class ContextAttributes {

    private final Map<String, Object> values = new ConcurrentHashMap<>();
    private final ServletContext context;
    private final String application;
    private final List<ServletContextAttributeListener> listeners;

    /** @param application for log messages */
    ContextAttributes(ServletContext context, String application, List<ServletContextAttributeListener> listeners) {
        this.application = application;
        this.context = context;
        this.listeners = listeners;
    }

    @Nullable
    Object get(String name) {
        return values.get(Objects.requireNonNull(name, "name"));
    }

    Enumeration<String> names() {
        return Collections.enumeration(List.copyOf(values.keySet()));
    }

    void set(String name, @Nullable Object value) {
        Objects.requireNonNull(name, "name");
        if (value == null) {
            remove(name);
            return;
        }
        Object before = values.put(name, value);
        ServletContextAttributeEvent event =
                new ServletContextAttributeEvent(context, name, before == null ? value : before);
        notify(listener -> {
            if (before == null) {
                listener.attributeAdded(event);
            } else {
                listener.attributeReplaced(event);
            }
        });
    }

    void remove(String name) {
        Object before = values.remove(name);
        if (before != null) {
            ServletContextAttributeEvent event = new ServletContextAttributeEvent(context, name, before);
            notify(listener -> listener.attributeRemoved(event));
        }
    }

    /** Logs what a listener throws; the caller that sets an attribute is not affected. */
    private void notify(Consumer<ServletContextAttributeListener> call) {
        for (ServletContextAttributeListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                DispatchMessages.LOG.listenerFailed(listener.getClass().getName(), application, e);
            }
        }
    }
}
