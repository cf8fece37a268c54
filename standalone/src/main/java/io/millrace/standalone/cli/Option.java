package io.millrace.standalone.cli;

import org.jspecify.annotations.Nullable;

/**
 * An option of a command: {@code --base=DIR} or {@code --base DIR}, or a flag.
 *
 * @param name with its two dashes
 * @param value what its help calls its value; null for a flag
 * @param description one sentence for the help
 */
public record Option(String name, @Nullable String value, String description) {

    /** One that takes a value. */
    public static Option of(String name, String value, String description) {
        return new Option(name, value, description);
    }

    /** One that is there or not. */
    public static Option flag(String name, String description) {
        return new Option(name, null, description);
    }

    boolean isFlag() {
        return value == null;
    }

    /** As its help shows it. */
    String shown() {
        return value == null ? name : name + "=" + value;
    }
}
