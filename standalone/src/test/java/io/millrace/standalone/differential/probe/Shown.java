package io.millrace.standalone.differential.probe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpSession;
import javax.servlet.http.Part;
import org.jspecify.annotations.NullUnmarked;

/** How values appear in a trace: in ASCII, and without what only one server's classes have. */
@NullUnmarked
final class Shown {

    private Shown() {}

    static String of(Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof CharSequence text) {
            return '\'' + escaped(text) + '\'';
        } else if (value instanceof Number || value instanceof Boolean || value instanceof Enum) {
            return value.toString();
        } else if (value instanceof Object[] values) {
            return list(List.of(values));
        } else if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        } else if (value instanceof List<?> values) {
            return list(values);
        } else if (value instanceof Collection<?> values) {
            return new TreeSet<>(values.stream().map(Shown::of).toList()).toString();
        } else if (value instanceof Enumeration<?> values) {
            return list(Collections.list(values));
        } else if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(of(key), of(each)));
            return sorted.toString();
        }
        return api(value);
    }

    private static String api(Object value) {
        if (value instanceof Cookie cookie) {
            return of(cookie.getName()) + "=" + of(cookie.getValue())
                    + (cookie.getPath() == null ? "" : ";" + cookie.getPath())
                    + (cookie.getDomain() == null ? "" : ";" + cookie.getDomain()) + ";" + cookie.getVersion();
        } else if (value instanceof HttpServletMapping mapping) {
            return mapping.getMappingMatch() + " " + of(mapping.getPattern()) + " " + of(mapping.getMatchValue()) + " "
                    + mapping.getServletName();
        } else if (value instanceof Part part) {
            return of(part.getName()) + "/" + of(part.getSubmittedFileName()) + "/" + of(part.getContentType()) + "/"
                    + part.getSize();
        } else if (value instanceof RequestDispatcher) {
            return "dispatcher";
        } else if (value instanceof HttpSession) {
            return "session";
        } else if (value instanceof Throwable thrown) {
            return type(thrown) + " " + of(thrown.getMessage());
        } else if (value instanceof java.net.URL) {
            return "URL";
        } else if (value instanceof java.util.Locale || value instanceof Class) {
            return value.toString();
        }
        return "object";
    }

    private static String list(Collection<?> values) {
        List<String> shown = new ArrayList<>();
        values.forEach(each -> shown.add(of(each)));
        return shown.toString();
    }

    /** The name of the nearest type that is not a server's own. */
    static String type(Throwable thrown) {
        Class<?> type = thrown.getClass();
        while (!type.getName().startsWith("java") || !java.lang.reflect.Modifier.isPublic(type.getModifiers())) {
            type = type.getSuperclass();
        }
        return type.getName();
    }

    static String escaped(CharSequence text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                shown.append("\\u").append(Integer.toHexString(0x10000 + c).substring(1));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }
}
