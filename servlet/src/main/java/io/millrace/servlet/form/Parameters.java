package io.millrace.servlet.form;

import io.millrace.http.UrlEncoded;
import io.millrace.servlet.settings.FormLimits;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
}
