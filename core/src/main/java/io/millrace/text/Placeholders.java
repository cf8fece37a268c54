package io.millrace.text;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Replaces {@code ${name}} and {@code ${name:-default}} by system properties and environment variables. */
public final class Placeholders {

    private static final String BEGIN = "${";
    private static final String DEFAULT = ":-";

    /** As in Tomcat; bounds values that contain their own placeholder. */
    private static final int MAX_DEPTH = 20;

    private final UnaryOperator<@Nullable String> lookup;

    /** @param lookup returns the value of a name, or null */
    public Placeholders(UnaryOperator<@Nullable String> lookup) {
        this.lookup = lookup;
    }

    /** For files below a base directory, which is also the value of Tomcat's {@code catalina.base} and {@code catalina.home}. */
    public static Placeholders ofBase(Path base) {
        String name = base.toString();
        return ofSystem(Map.of("millrace.base", name, "catalina.base", name, "catalina.home", name));
    }

    /** Of system properties only, as Tomcat replaces them in the files of applications. */
    public static Placeholders ofProperties() {
        return new Placeholders(name -> name == null || name.isEmpty() ? null : System.getProperty(name));
    }

    /** Looks up a system property, else an environment variable, else one of these. */
    public static Placeholders ofSystem(Map<String, String> more) {
        return new Placeholders(name -> {
            if (name == null || name.isEmpty()) {
                return null;
            }
            String value = System.getProperty(name);
            if (value == null) {
                value = System.getenv(name);
            }
            return value != null ? value : more.get(name);
        });
    }

    /** Advice for an unknown name, as a clause. */
    public static String remedy(String name) {
        return "put it into conf/catalina.properties, or give it a default: ${" + name + ":-…}";
    }

    /** The value of a name, or null. */
    public @Nullable String valueOf(@Nullable String name) {
        return lookup.apply(name);
    }

    /**
     * Replaces all placeholders, including those in values and defaults. One with neither a value nor a default is reported and left
     * unchanged, as in Tomcat.
     */
    public String replace(String text, Consumer<String> onUnknown) {
        return replace(text, onUnknown, 0);
    }

    private String replace(String text, Consumer<String> onUnknown, int depth) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at)) {
            int end = end(text, begin);
            if (end < 0) {
                break;
            }
            out.append(text, at, begin);
            out.append(value(text.substring(begin, end + 1), onUnknown, depth));
            at = end + 1;
        }
        return out.append(text, at, text.length()).toString();
    }

    /**
     * The brace that ends a placeholder, whose default may have placeholders of its own; without that, the next one; -1 if there is none.
     */
    private static int end(String text, int begin) {
        int open = 0;
        for (int at = begin; at < text.length(); at++) {
            if (text.startsWith(BEGIN, at)) {
                open++;
            } else if (text.charAt(at) == '}' && --open == 0) {
                return at;
            }
        }
        return text.indexOf('}', begin);
    }

    private String value(String placeholder, Consumer<String> onUnknown, int depth) {
        String inner = placeholder.substring(BEGIN.length(), placeholder.length() - 1);
        int split = inner.indexOf(DEFAULT);
        String name = split < 0 ? inner : inner.substring(0, split);
        String found = lookup.apply(name);
        String value = found != null || split < 0 ? found : inner.substring(split + DEFAULT.length());
        if (value != null) {
            return depth < MAX_DEPTH ? replace(value, onUnknown, depth + 1) : value;
        }
        onUnknown.accept(name);
        return placeholder;
    }
}
