package io.millrace.standalone.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Replaces {@code ${name}} and {@code ${name:-default}} by system properties and environment variables. */
public final class Placeholders {

    private static final String BEGIN = "${";
    private static final String DEFAULT = ":-";

    private final UnaryOperator<@Nullable String> lookup;
    /** Names that a file has which is not read. */
    private final Set<String> unread;

    /** A lookup answers the value of a name, or null. */
    Placeholders(UnaryOperator<@Nullable String> lookup) {
        this(lookup, Set.of());
    }

    private Placeholders(UnaryOperator<@Nullable String> lookup, Set<String> unread) {
        this.lookup = lookup;
        this.unread = unread;
    }

    /** As in all files below a base directory, whose names Tomcat has given. */
    static Placeholders ofBase(Path base) {
        String name = base.toString();
        Placeholders system = ofSystem(Map.of("millrace.base", name, "catalina.base", name, "catalina.home", name));
        return new Placeholders(system.lookup, UnreadFiles.properties(base));
    }

    /** A system property, else an environment variable, else one of these names. */
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

    /** What to do about a name that is unknown, as a clause. */
    String remedy(String name) {
        return unread.contains(name)
                ? "conf/catalina.properties has it, but is not read: say -D" + name + "=… in JAVA_OPTS"
                : "give it a default: ${" + name + ":-…}";
    }

    /** Replaces all; a name that has neither a value nor a default is reported and stays as it stood, as in Tomcat. */
    String replace(String text, Consumer<String> onUnknown) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at)) {
            int end = text.indexOf('}', begin);
            if (end < 0) {
                break;
            }
            out.append(text, at, begin);
            out.append(value(text.substring(begin, end + 1), onUnknown));
            at = end + 1;
        }
        return out.append(text, at, text.length()).toString();
    }

    private String value(String placeholder, Consumer<String> onUnknown) {
        String inner = placeholder.substring(BEGIN.length(), placeholder.length() - 1);
        int split = inner.indexOf(DEFAULT);
        String name = split < 0 ? inner : inner.substring(0, split);
        String found = lookup.apply(name);
        if (found != null) {
            return found;
        }
        if (split >= 0) {
            return inner.substring(split + DEFAULT.length());
        }
        onUnknown.accept(name);
        return placeholder;
    }
}
