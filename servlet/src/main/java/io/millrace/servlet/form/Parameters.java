package io.millrace.servlet.form;

import io.millrace.servlet.settings.FormLimits;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names and their values in the order they came. Not for two threads at once. */
public final class Parameters {

    private static final String[] NO_VALUES = {};

    private final FormLimits limits;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private @Nullable Map<String, String[]> map;
    private int count;

    /** Nothing yet. */
    public Parameters(FormLimits limits) {
        this.limits = limits;
    }

    /**
     * Adds a pair after those already there.
     *
     * @throws FormException 400 at more than {@link FormLimits#maxParameterCount}
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
     * Adds what a query string or a form body holds.
     *
     * @param text without the question mark, one char per byte
     * @throws FormException 400 at more than {@link FormLimits#maxParameterCount}
     */
    public void addEncoded(String text, Charset charset) {
        new UrlEncoded(text, charset).forEach(this::add);
    }

    /** The first value, or null. */
    public @Nullable String value(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.get(0);
    }

    /** A copy of all values, or null. */
    public String @Nullable [] values(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.toArray(NO_VALUES);
    }

    /** In the order they came; unmodifiable. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** Unmodifiable. */
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

    /** A new set: those of a dispatcher's query first, then these (Servlet 3.1, 9.1.1). */
    public Parameters precededBy(String query, Charset charset) {
        Parameters merged = new Parameters(limits);
        merged.addEncoded(query, charset);
        values.forEach((name, list) -> list.forEach(value -> merged.add(name, value)));
        return merged;
    }
}
