package io.millrace.servlet.request;

import io.millrace.handler.PresetAttributes;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.servlet.security.LoginOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletRequestAttributeEvent;
import javax.servlet.ServletRequestAttributeListener;
import org.jspecify.annotations.Nullable;

/**
 * A request's attributes; notifies listeners of changes. The attributes of TLS are set when one is first read or written. Not
 * thread-safe.
 */
final class RequestAttributes {

    private final HttpServletRequestImpl request;
    private final ConnectionInfo connection;
    private final Map<String, Object> values = new HashMap<>();
    private boolean tlsFound;

    /** @param preset set by handlers before the application; null for none */
    RequestAttributes(HttpServletRequestImpl request, ConnectionInfo connection, @Nullable PresetAttributes preset) {
        this.request = request;
        this.connection = connection;
        FrontEnd frontEnd = connection.frontEnd();
        if (frontEnd != null) {
            values.putAll(frontEnd.notes().attributes());
        }
        if (preset != null) {
            values.putAll(preset.values());
        }
    }

    @Nullable
    Object get(String name) {
        if (TlsAttributes.mayBe(name)) {
            findTls();
        }
        return LoginOptions.CREDENTIAL_ATTRIBUTE.equals(name)
                ? request.security().delegatedCredential()
                : values.get(name);
    }

    Enumeration<String> names() {
        findTls();
        return Collections.enumeration(new ArrayList<>(values.keySet()));
    }

    private void findTls() {
        if (!tlsFound) {
            tlsFound = true;
            if (TlsAttributes.isKnown(connection)) {
                TlsAttributes.set(this, connection);
            }
        }
    }

    /** Null removes it. */
    void set(String name, @Nullable Object value) {
        if (TlsAttributes.mayBe(name)) {
            findTls();
        }
        if (value == null) {
            remove(name);
        } else {
            put(name, value);
        }
    }

    private void put(String name, Object value) {
        Object before = values.put(name, value);
        for (ServletRequestAttributeListener listener : listeners()) {
            if (before == null) {
                listener.attributeAdded(event(name, value));
            } else {
                listener.attributeReplaced(event(name, before));
            }
        }
    }

    private void remove(String name) {
        Object before = values.remove(name);
        if (before != null) {
            for (ServletRequestAttributeListener listener : listeners()) {
                listener.attributeRemoved(event(name, before));
            }
        }
    }

    /** Sets an attribute of the container, without notifying listeners; null removes it. */
    void setQuietly(String name, @Nullable Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
    }

    private List<ServletRequestAttributeListener> listeners() {
        return request.hasEnded()
                ? List.of() // a request that was kept beyond its end notifies nobody
                : request.app().listeners().attributes();
    }

    private ServletRequestAttributeEvent event(String name, Object value) {
        return new ServletRequestAttributeEvent(request.getServletContext(), request, name, value);
    }
}
