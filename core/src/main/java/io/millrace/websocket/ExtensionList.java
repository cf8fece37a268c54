package io.millrace.websocket;

import io.millrace.http.FieldSyntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parser of Sec-WebSocket-Extensions (RFC 6455, 9.1). */
final class ExtensionList {

    /** The maximum number of extensions, and of parameters of each. More of them are an attack. */
    private static final int MOST = 64;

    private final String text;
    private int at;

    private ExtensionList(String text) {
        this.text = text;
    }

    /** The extensions of all fields in order; null if a field is malformed. */
    static @Nullable List<WebSocketExtension> parse(List<String> fields) {
        List<WebSocketExtension> all = new ArrayList<>();
        for (String field : fields) {
            if (!new ExtensionList(field).readAll(all)) {
                return null;
            }
        }
        return all;
    }

    private boolean readAll(List<WebSocketExtension> all) {
        do {
            skipSpaces();
            if (at == text.length() || text.charAt(at) == ',') {
                continue; // an empty element (RFC 9110, 5.6.1.2)
            }
            WebSocketExtension read = readOne();
            if (read == null || all.size() == MOST) {
                return false;
            }
            all.add(read);
        } while (skip(','));
        return at == text.length();
    }

    private @Nullable WebSocketExtension readOne() {
        String name = token();
        Map<String, String> parameters = new LinkedHashMap<>();
        boolean correct = name != null;
        while (correct && skip(';')) {
            String parameter = token();
            String value = skip('=') ? value() : "";
            correct = parameter != null
                    && value != null
                    && parameters.size() < MOST
                    && parameters.put(parameter, value) == null;
        }
        return correct && name != null ? new WebSocketExtension(name, parameters) : null;
    }

    /** A token or a quoted token; null if there is none. */
    private @Nullable String value() {
        if (!skip('"')) {
            return token();
        }
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            value.append(text.charAt(at++));
        }
        return skip('"') && FieldSyntax.isToken(value.toString()) ? value.toString() : null;
    }

    private @Nullable String token() {
        skipSpaces();
        int start = at;
        while (at < text.length() && FieldSyntax.isTokenChar(text.charAt(at))) {
            at++;
        }
        return at == start ? null : text.substring(start, at);
    }

    private boolean skip(char expected) {
        skipSpaces();
        boolean found = at < text.length() && text.charAt(at) == expected;
        at += found ? 1 : 0;
        return found;
    }

    private void skipSpaces() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }
}
