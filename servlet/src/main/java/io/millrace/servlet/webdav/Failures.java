package io.millrace.servlet.webdav;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import javax.servlet.http.HttpServletResponse;

/**
 * The failures of one request, by resource. An entry also represents the collections above it, which could not be removed or
 * created completely either, and everything below it (RFC 4918, 9.6.1, 9.8.3 and 9.9.2). Confined to the request's thread.
 */
final class Failures {

    private final DavCall call;
    private final Predicate<String> isCollection;
    private final Map<String, Integer> statuses = new LinkedHashMap<>();

    /** @param isCollection whether a path is that of a collection */
    Failures(DavCall call, Predicate<String> isCollection) {
        this.call = call;
        this.isCollection = isCollection;
    }

    void add(String path, int status) {
        statuses.putIfAbsent(path, status);
    }

    /** Adds a failure of the file system. One without a specific status is logged by the application's log. */
    void add(String path, IOException cause) {
        int status = status(cause);
        if (status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
            call.request().getServletContext().log("WebDAV: " + call.request().getMethod() + " failed", cause);
        }
        add(path, status);
    }

    boolean isEmpty() {
        return statuses.isEmpty();
    }

    /**
     * Responds with the failures.
     *
     * @param destination the target of a COPY or MOVE, or the path of the request, whose failure is that of the whole request
     * @throws DavFault if only the resource of the request, or its target, failed
     */
    void answer(String destination, HttpServletResponse response) throws IOException, DavFault {
        Map<String, Integer> visible = new LinkedHashMap<>();
        statuses.forEach((path, status) -> visible.putIfAbsent(visible(path, destination), status));
        Map.Entry<String, Integer> first = visible.entrySet().iterator().next();
        boolean whole = first.getKey().equals(call.path()) || first.getKey().equals(destination);
        if (whole && visible.size() == 1) {
            throw new DavFault(first.getValue());
        }
        MultiStatus out = new MultiStatus(response);
        visible.forEach((path, status) -> out.resource(call.href(path, isCollection.test(path)), status));
        out.end();
    }

    /** The resource, or its nearest ancestor that this user may know, because constraints permit GET or the request names it. */
    private String visible(String path, String destination) {
        String visible = path;
        while (!visible.equals(call.path())
                && !visible.equals(destination)
                && !DavPath.isRoot(visible)
                && !call.mayReach("GET", visible)) {
            visible = DavPath.parent(visible);
        }
        return visible;
    }

    private static int status(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return HttpServletResponse.SC_FORBIDDEN;
        }
        if (cause instanceof NoSuchFileException) {
            return HttpServletResponse.SC_CONFLICT;
        }
        String reason = cause instanceof FileSystemException failure ? String.valueOf(failure.getReason()) : "";
        return switch (reason.toLowerCase(Locale.ROOT)) {
            case "no space left on device", "disk quota exceeded" -> MultiStatus.INSUFFICIENT_STORAGE;
            case "file name too long", "read-only file system", "operation not permitted", "device or resource busy" ->
                HttpServletResponse.SC_FORBIDDEN;
            default -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        };
    }
}
