package io.millrace.servlet.form;

import java.nio.charset.Charset;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names and their values in the order they came. Not for two threads at once. */
@SuppressWarnings("DoNotCallSuggester")
public final class Parameters {

    /** Nothing yet. */
    public Parameters(FormLimits limits) {}

    /** The first value, or null. */
    public @Nullable String value(String name) {
        throw new UnsupportedOperationException();
    }

    /** A copy of all values, or null. */
    public String @Nullable [] values(String name) {
        throw new UnsupportedOperationException();
    }

    /** In the order they came; unmodifiable. */
    public Set<String> names() {
        throw new UnsupportedOperationException();
    }

    /** Unmodifiable. */
    public Map<String, String[]> map() {
        throw new UnsupportedOperationException();
    }

    /** A new set: those of a dispatcher's query first, then these (Servlet 3.1, 9.1.1). */
    public Parameters precededBy(String query, Charset charset) {
        throw new UnsupportedOperationException();
    }
}
