package io.millrace.handler;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** A throwable as text. One whose own methods fail, as an application's may, costs its text and not the response. */
final class StackText {

    /** Characters: a stack that overflowed has thousands of frames. */
    private static final int LIMIT = 32_768;

    private StackText() {}

    /** Its stack trace with its causes. */
    static String of(Throwable thrown) {
        StringWriter text = new StringWriter();
        try (PrintWriter writer = new PrintWriter(text)) {
            thrown.printStackTrace(writer);
        } catch (RuntimeException broken) {
            return thrown.getClass().getName();
        }
        StringBuffer all = text.getBuffer();
        return (all.length() > LIMIT ? all.substring(0, LIMIT) + "..." : all.toString())
                .replace("\r\n", "\n")
                .stripTrailing();
    }

    /** The first line of its message; null without one. */
    static @Nullable String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null || message.isBlank()
                    ? null
                    : message.strip().lines().findFirst().orElse(null);
        } catch (RuntimeException broken) {
            return null;
        }
    }
}
