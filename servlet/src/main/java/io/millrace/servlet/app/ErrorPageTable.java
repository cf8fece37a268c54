package io.millrace.servlet.app;

import io.millrace.servlet.model.ErrorPageModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** The error pages of an application (Servlet 3.1, 10.9.2). Immutable. */
public final class ErrorPageTable {

    private final Map<Integer, String> byStatus = new HashMap<>();
    private final Map<String, String> byException = new HashMap<>();
    private @Nullable String fallback;

    public ErrorPageTable(List<ErrorPageModel> pages) {
        for (ErrorPageModel page : pages) {
            if (page.exceptionType() != null) {
                byException.put(page.exceptionType(), page.location());
            } else if (page.status() != 0) {
                byStatus.put(page.status(), page.location());
            } else {
                fallback = page.location();
            }
        }
    }

    /** The page for an exception or its root cause; null if there is none. */
    public @Nullable Found forException(Throwable thrown) {
        String location = byClass(thrown);
        if (location != null) {
            return new Found(location, thrown);
        }
        Throwable cause = thrown instanceof ServletException servlet ? servlet.getRootCause() : null;
        return cause == null ? null : forException(cause);
    }

    /** The page for a status; null if there is none. */
    public @Nullable String forStatus(int status) {
        String location = byStatus.get(status);
        return location != null ? location : fallback;
    }

    private @Nullable String byClass(Throwable thrown) {
        if (byException.isEmpty()) {
            return null;
        }
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            String location = byException.get(type.getName());
            if (location != null) {
                return location;
            }
        }
        return null;
    }

    /** A page, and the exception that it was found for. */
    public record Found(String location, Throwable exception) {}
}
