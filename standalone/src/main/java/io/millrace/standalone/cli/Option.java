package io.millrace.standalone.cli;

import org.jspecify.annotations.Nullable;

/**
 * An option of a command: {@code --base=DIR} or {@code --base DIR}, or a flag.
 *
 * @param name with its two dashes
 * @param value the name of its value in the help; null for a flag
 * @param description one sentence for the help
 */
public record Option(String name, @Nullable String value, String description) {

    /** An option with a value. */
    public static Option of(String name, String value, String description) {
        return new Option(name, value, description);
    }

    /** An option without a value. */
    public static Option flag(String name, String description) {
        return new Option(name, null, description);
    }

    boolean isFlag() {
        return value == null;
    }

    /** For the help. */
    String shown() {
        return value == null ? name : name + "=" + value;
    }
}
