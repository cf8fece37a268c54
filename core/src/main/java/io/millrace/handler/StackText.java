package io.millrace.handler;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Formats throwables. If a method of an application's throwable throws, its text is omitted. */
final class StackText {

    /** In characters. The trace of a stack overflow has thousands of frames. */
    private static final int LIMIT = 32_768;

    private StackText() {}

    /** The stack trace with causes. */
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

    /** The first line of the message; null if there is none. */
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
