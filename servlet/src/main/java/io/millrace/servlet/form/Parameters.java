package io.millrace.servlet.form;

import io.millrace.servlet.settings.FormLimits;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, in the order in which they were sent. Not thread-safe. */
public final class Parameters {

    private static final String[] NO_VALUES = {};

    private final FormLimits limits;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private @Nullable Map<String, String[]> map;
    private int count;

    /** Creates an empty set of parameters. */
    public Parameters(FormLimits limits) {
        this.limits = limits;
    }

    /**
     * Adds a parameter after the present ones.
     *
     * @throws FormException with status 400, if there are more than {@link FormLimits#maxParameterCount}
     */
    public void add(String name, String value) {
        if (limits.maxParameterCount() >= 0 && ++count > limits.maxParameterCount()) {
            throw new FormException(
                    400,
                    "The request has more than " + limits.maxParameterCount()
                            + " parameters: raise maxParameterCount to accept it.");
        }
        values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
        map = null;
    }

    /**
     * Adds the parameters of a query string or form body. Malformed ones are ignored.
     *
     * @param text without the question mark, one char per byte
     * @param charset the encoding of names and values
     * @throws FormException with status 400, if there are more than {@link FormLimits#maxParameterCount}
     */
    public void addEncoded(String text, Charset charset) {
        new UrlEncoded(text, charset).forEach(this::add);
    }

    /** The first value of a parameter; null if there is none. */
    public @Nullable String value(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.get(0);
    }

    /** A copy of all values of a parameter; null if there is none. */
    public String @Nullable [] values(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.toArray(NO_VALUES);
    }

    /** The names in the order in which they were sent; unmodifiable. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** All parameters; the map is unmodifiable. */
    public Map<String, String[]> map() {
        Map<String, String[]> made = map;
        if (made == null) {
            Map<String, String[]> arrays = new LinkedHashMap<>();
            values.forEach((name, list) -> arrays.put(name, list.toArray(NO_VALUES)));
            made = Collections.unmodifiableMap(arrays);
            map = made;
        }
        return made;
    }

    /** A copy in which the parameters of a dispatcher's query string precede these (Servlet 3.1, 9.1.1). */
    public Parameters precededBy(String query, Charset charset) {
        Parameters merged = new Parameters(limits);
        merged.addEncoded(query, charset);
        values.forEach((name, list) -> list.forEach(value -> merged.add(name, value)));
        return merged;
    }

    /**
     * Parses {@code application/x-www-form-urlencoded} text, as Tomcat does: a pair without {@code =} has the empty value; a pair
     * without a name, or with a percent sign not followed by two hex digits, is ignored. Bytes that are invalid in the charset are
     * decoded to its replacement character. Clients choose the text, so the time is linear in its length.
     */
    private static final class UrlEncoded {

        private final String text;
        private final Charset charset;
        private byte[] scratch = {};

        /**
         * A parser of one text.
         *
         * @param text one char per byte
         */
        UrlEncoded(String text, Charset charset) {
            this.text = text;
            this.charset = charset;
        }

        void forEach(BiConsumer<String, String> pairs) {
            int start = 0;
            while (start < text.length()) {
                int equals = -1;
                int end = start;
                while (end < text.length() && text.charAt(end) != '&') {
                    equals = equals < 0 && text.charAt(end) == '=' ? end : equals;
                    end++;
                }
                pair(start, equals < 0 ? end : equals, end, pairs);
                start = end + 1;
            }
        }

        private void pair(int start, int nameEnd, int end, BiConsumer<String, String> pairs) {
            if (nameEnd == start) {
                return;
            }
            String name = decode(start, nameEnd);
            String value = nameEnd == end ? "" : decode(nameEnd + 1, end);
            if (name != null && value != null) {
                pairs.accept(name, value);
            }
        }

        /** Null if a percent-escape is malformed. */
        private @Nullable String decode(int start, int end) {
            for (int i = start; i < end; i++) {
                char c = text.charAt(i);
                if (c == '%' || c == '+' || c >= 0x80) {
                    return decodeEscapes(start, end);
                }
            }
            return text.substring(start, end);
        }

        private @Nullable String decodeEscapes(int start, int end) {
            if (scratch.length < end - start) {
                scratch = new byte[Math.max(64, end - start)];
            }
            int length = 0;
            for (int i = start; i < end; i++) {
                char c = text.charAt(i);
                if (c == '+') {
                    scratch[length++] = ' ';
                } else if (c == '%') {
                    int high = i + 2 < end ? hex(text.charAt(i + 1)) : -1;
                    int low = i + 2 < end ? hex(text.charAt(i + 2)) : -1;
                    if (high < 0 || low < 0) {
                        return null;
                    }
                    scratch[length++] = (byte) (high << 4 | low);
                    i += 2;
                } else {
                    scratch[length++] = (byte) c;
                }
            }
            return new String(scratch, 0, length, charset);
        }

        private static int hex(char c) {
            return c < 0x80 ? Character.digit(c, 16) : -1;
        }
    }
}
