package io.millrace.standalone.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of a throwable, as {@link Throwable#printStackTrace()} writes it, with causes and suppressed ones. Of a throwable of
 * an application every method may throw, return null, or lead in a circle: none of that must fail the code that logs.
 */
final class ThrowableText {

    /** In characters. The trace of a stack overflow has a thousand frames; a chain of causes may be endless. */
    private static final int MAX_LENGTH = 128 * 1024;

    /** Of suppressed throwables within suppressed ones. */
    private static final int MAX_DEPTH = 32;

    private final StringBuilder text = new StringBuilder(1024);
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private ThrowableText() {}

    /** The stack trace, in lines separated by {@code \n}. */
    static String of(Throwable thrown) {
        ThrowableText made = new ThrowableText();
        made.append(thrown, "", "", 0);
        return made.text.toString().stripTrailing();
    }

    /** The message; null if there is none. */
    static @Nullable String message(Throwable thrown) {
        return guarded(thrown::getMessage, "(getMessage threw ", ")");
    }

    /** Whether it has no stack trace: its message is sufficient then. */
    static boolean isBare(Throwable thrown) {
        return frames(thrown).length == 0;
    }

    private static StackTraceElement[] frames(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null ? new StackTraceElement[0] : frames;
        } catch (Throwable broken) {
            return new StackTraceElement[0];
        }
    }

    private static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable broken) {
            return null;
        }
    }

    private static @Nullable String guarded(Supplier<@Nullable String> method, String before, String after) {
        try {
            return method.get();
        } catch (Throwable broken) {
            return before + broken.getClass().getName() + after;
        }
    }

    /** Appends a throwable and its causes, iteratively: a chain may have thousands. */
    private void append(Throwable first, String label, String indent, int depth) {
        Throwable thrown = first;
        String heading = label;
        StackTraceElement[] enclosing = new StackTraceElement[0];
        while (thrown != null && text.length() < MAX_LENGTH) {
            Throwable shown = thrown;
            String name = guarded(shown::toString, shown.getClass().getName() + " (toString threw ", ")");
            if (!seen.add(thrown)) {
                line(indent, heading + "[CIRCULAR REFERENCE: " + name + "]");
                return;
            }
            line(indent, heading + name);
            StackTraceElement[] frames = frames(thrown);
            int common = common(frames, enclosing);
            for (int i = 0; i < frames.length - common && text.length() < MAX_LENGTH; i++) {
                line(indent, "\tat " + frames[i]);
            }
            if (common > 0) {
                line(indent, "\t... " + common + " more");
            }
            suppressed(thrown, indent, depth);
            enclosing = frames;
            heading = "Caused by: ";
            thrown = cause(thrown);
        }
        if (thrown != null && depth == 0) {
            line("", "... cut after " + MAX_LENGTH + " characters");
        }
    }

    private void suppressed(Throwable thrown, String indent, int depth) {
        for (Throwable each : thrown.getSuppressed()) {
            if (depth < MAX_DEPTH && text.length() < MAX_LENGTH) {
                append(each, "Suppressed: ", indent + "\t", depth + 1);
            }
        }
    }

    /** The number of last frames that are those of the enclosing throwable. */
    private static int common(StackTraceElement[] frames, StackTraceElement[] enclosing) {
        int common = 0;
        while (common < Math.min(frames.length, enclosing.length)
                && frames[frames.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
            common++;
        }
        return common;
    }

    private void line(String indent, String line) {
        text.append(indent).append(line, 0, Math.min(line.length(), MAX_LENGTH)).append('\n');
    }
}
