package io.millrace.servlet.files;

import io.millrace.files.CacheLimits;
import io.millrace.files.FileChangedException;
import io.millrace.files.FileReply;
import io.millrace.files.FileRules;
import io.millrace.files.Preconditions;
import io.millrace.files.StaticFiles;
import io.millrace.files.Validators;
import io.millrace.http.Headers;
import io.millrace.http.LocalReference;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.request.HttpServletResponseImpl;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The default servlet: serves the application's {@link ResourceTree} as Tomcat's does, with its init parameters. Registered under
 * the name {@code default} for {@code /}, and wherever an application names Tomcat's class. Welcome files are handled by the
 * mapping. In an include it sends the included path's content.
 */
public final class StaticServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final int ATTEMPTS = 3;

    private final transient ResourceTree resources;
    private final transient CacheLimits limits;
    private final transient WriteLocks locks;
    private final transient MetricGroup metrics;
    private transient DefaultServletSettings settings;
    private transient StaticFiles files;
    private transient ListingStylesheets stylesheets;

    /**
     * Creates a servlet.
     *
     * @param locks checked before it changes a file
     * @param metrics those of the application
     */
    @SuppressWarnings("NullAway.Init") // init() is called first
    public StaticServlet(ResourceTree resources, CacheLimits limits, WriteLocks locks, MetricGroup metrics) {
        this.resources = resources;
        this.metrics = metrics;
        this.limits = limits;
        this.locks = locks;
    }

    @Override
    public void init() throws ServletException {
        settings = DefaultServletSettings.of(getServletConfig());
        stylesheets = ListingStylesheets.of(getServletConfig(), resources);
        FileRules rules = new FileRules(
                getServletContext()::getMimeType, settings.precompressed(), settings.ranges(), settings.strongTags());
        files = new StaticFiles(resources, rules, limits);
        files.addTo(metrics);
    }

    @Override
    public void destroy() {
        files.close();
    }

    /** The file handler that serves its files directly where nothing precedes the servlet. */
    public StaticFiles files() {
        return files;
    }

    /** Whether the sendfile threshold is that of {@link #files}. */
    public boolean isPlain() {
        return settings.sendfileSize() == DefaultServletSettings.SENDFILE;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            include(request, response);
            return;
        }
        boolean direct = request.getDispatcherType() == DispatcherType.REQUEST;
        String method = direct ? request.getMethod() : "GET";
        switch (method) {
            case "GET", "HEAD" -> find(request, response, direct);
            case "OPTIONS" -> response.setHeader("Allow", allowed());
            case "POST" -> postAsGet(request, response);
            case "PUT", "DELETE" -> change(method, request, response);
            default -> refuse(response);
        }
    }

    private void postAsGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (settings.postAsGet()) {
            find(request, response, true);
        } else {
            refuse(response);
        }
    }

    private void change(String method, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (settings.readonly()) {
            refuse(response);
            return;
        }
        String path = path(request.getServletPath(), request.getPathInfo());
        boolean put = method.equals("PUT");
        int status;
        if (ResourceTree.isProtected(path)) {
            status = put ? HttpServletResponse.SC_CONFLICT : HttpServletResponse.SC_NOT_FOUND;
        } else if (locks.refuse(this, path, request, response)) {
            return;
        } else {
            status = put ? put(path, request) : delete(path, request);
        }
        if (status >= 400) {
            response.sendError(status);
        } else {
            response.setStatus(status);
        }
    }

    private int delete(String path, HttpServletRequest request) throws IOException {
        int status = change().delete(path, request);
        if (status == HttpServletResponse.SC_NO_CONTENT) {
            locks.deleted(path, request);
        }
        return status;
    }

    private FileChange change() {
        return new FileChange(resources, files, getServletContext(), settings.partialPut());
    }

    /**
     * Stores a request's body at a path, for a servlet that serves the same files. The caller checks whether the path may be
     * changed.
     *
     * @return the status: 201 or 204 if it was stored
     */
    public int put(String path, HttpServletRequest request) throws IOException {
        return change().put(path, request);
    }

    /** Whether the request's conditions (RFC 9110, 13) are met by the resource to change; null if it does not exist. */
    public boolean mayChange(@Nullable Resource before, HttpServletRequest request) {
        return change().mayChange(before, request);
    }

    private void refuse(HttpServletResponse response) throws IOException {
        response.setHeader("Allow", allowed());
        response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
    }

    private String allowed() {
        String reading = settings.postAsGet() ? "OPTIONS, GET, HEAD, POST" : "OPTIONS, GET, HEAD";
        return settings.readonly() ? reading : reading + ", PUT, DELETE";
    }

    private void find(HttpServletRequest request, HttpServletResponse response, boolean direct) throws IOException {
        String path = path(request.getServletPath(), request.getPathInfo());
        Resource resource = direct && ResourceTree.isProtected(path) ? null : resources.find(path);
        answer(resource, path, "", request, response);
    }

    /**
     * Handles GET and HEAD of a resource, for a servlet that serves the same files at other paths.
     *
     * @param path the resource's path, below the context path
     * @param prefix the part of URLs between the context path and this path
     */
    public void answer(
            @Nullable Resource resource,
            String path,
            String prefix,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        if (resource == null) {
            notFound(request, response);
        } else if (!resource.isDirectory()) {
            send(resource, path, request, response);
        } else if (request.getDispatcherType() != DispatcherType.ERROR && !isWrittenAsDirectory(path, request)) {
            redirect(request, response);
        } else if (settings.listings()) {
            new Listing(resources, settings, stylesheets, getServletContext()).send(path, prefix, request, response);
        } else {
            notFound(request, response);
        }
    }

    /** Answers 404, but instead of an error page that does not exist with the error that it is for. */
    private static void notFound(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object error = request.getDispatcherType() == DispatcherType.ERROR
                ? request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)
                : null;
        if (error instanceof Integer status) {
            response.sendError(status);
        } else {
            response.sendError(HttpServletResponse.SC_NOT_FOUND, missing(request.getRequestURI()));
        }
    }

    /** Whether relative links are resolved within the directory. The path of a request for the context path itself is empty. */
    private static boolean isWrittenAsDirectory(String path, HttpServletRequest request) {
        return path.endsWith("/") && !(request.getServletPath().isEmpty() && request.getPathInfo() == null);
    }

    /** The message of a 404, in the words of Tomcat's default servlet. */
    public static String missing(String uri) {
        return "The requested resource [" + uri + "] is not available";
    }

    /** Looks up a file again that was replaced before it was opened; nothing has been sent then. */
    private void send(Resource found, String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Resource resource = found;
        for (int attempt = 0; resource != null && !resource.isDirectory(); attempt++) {
            try {
                sendOnce(resource, path, request, response);
                return;
            } catch (FileChangedException again) {
                if (attempt == ATTEMPTS) {
                    throw again;
                }
                resource = resources.find(path);
            }
        }
        notFound(request, response);
    }

    private void sendOnce(Resource resource, String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean direct = request.getDispatcherType() == DispatcherType.REQUEST;
        String method = request.getMethod().equals("HEAD") ? "HEAD" : direct ? request.getMethod() : "GET";
        boolean isError = request.getDispatcherType() == DispatcherType.ERROR;
        FileReply reply = isError
                ? files.whole(resource, path)
                : files.reply(method, FileRequestHeaders.of(request), resource, path);
        FileResponse answer = new FileResponse(reply, response, settings);
        if (reply.isError()) {
            answer.refuse();
            return;
        }
        int status = isError ? response.getStatus() : reply.status();
        if (method.equals("HEAD") || reply.pieces().isEmpty()) {
            answer.describe(status);
        } else if (!answer.send(files, status)) {
            new FileResponse(files.whole(resource, path), response, settings).sendText(isError ? status : 200);
        }
    }

    /** Ends the response, as filters that add to it afterwards expect of a redirect; by sendRedirect, which their wrappers see. */
    private void redirect(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String location = LocalReference.ofDirectory(request.getRequestURI(), request.getQueryString());
        if (settings.redirectStatus() == HttpServletResponse.SC_FOUND) {
            response.sendRedirect(location);
        } else {
            HttpServletResponseImpl.of(response).redirectTo(settings.redirectStatus(), location);
        }
    }

    private void include(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = path((String) request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH), (String)
                request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
        Resource resource = resources.find(path);
        if (resource == null || resource.isDirectory()) {
            // Servlet 3.1, 9.3
            throw new FileNotFoundException(path);
        }
        new FileResponse(files.whole(resource, path), response, settings).copy();
    }

    private static String path(String servletPath, String pathInfo) {
        String path = (servletPath == null ? "" : servletPath) + (pathInfo == null ? "" : pathInfo);
        return path.isEmpty() ? "/" : path;
    }

    /**
     * PUT and DELETE (RFC 9110, 9.3.4 and 9.3.5) in the document base. A file is written to a temporary file, which then replaces it,
     * so that concurrent readers get the complete old file.
     */
    private static final class FileChange {

        private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

        private static final int COPY = 32 * 1024;

        private final ResourceTree resources;
        private final StaticFiles files;
        private final ServletContext context;
        private final boolean partial;

        FileChange(ResourceTree resources, StaticFiles files, ServletContext context, boolean partial) {
            this.resources = resources;
            this.files = files;
            this.context = context;
            this.partial = partial;
        }

        /** Stores the request's body; returns the status. */
        int put(String path, HttpServletRequest request) throws IOException {
            String range = request.getHeader("Content-Range");
            Matcher matcher = range == null ? null : CONTENT_RANGE.matcher(range);
            if (matcher != null && (!partial || !matcher.matches() || !isRange(matcher))) {
                return 400;
            }
            Resource before = resources.find(path);
            Path place = resources.place(path);
            if (place == null || Files.isDirectory(place)) {
                return 409;
            }
            if (!mayChange(before, request)) {
                return 412;
            }
            long from = matcher == null ? 0 : Long.parseLong(matcher.group(1));
            Path written = write(request.getInputStream(), matcher == null ? null : place, from);
            try {
                move(written, place);
            } finally {
                Files.deleteIfExists(written);
            }
            files.forget(path);
            return before == null ? 201 : 204;
        }

        int delete(String path, HttpServletRequest request) throws IOException {
            Resource before = resources.find(path);
            if (before == null) {
                return 404;
            }
            if (!mayChange(before, request)) {
                return 412;
            }
            Path place = resources.place(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
            try {
                files.forget(path);
                return place != null && Files.deleteIfExists(place) ? 204 : 405;
            } catch (IOException notEmpty) {
                return 405;
            }
        }

        /** Whether the request's conditions are met. */
        boolean mayChange(@Nullable Resource before, HttpServletRequest request) {
            Validators current = before == null ? null : files.validators(before);
            return Preconditions.evaluate(request.getMethod(), FileRequestHeaders.of(request), current)
                    == Preconditions.Outcome.PASSED;
        }

        private static boolean isRange(Matcher matcher) {
            long first = Long.parseLong(matcher.group(1));
            long last = Long.parseLong(matcher.group(2));
            return first <= last && last < Long.parseLong(matcher.group(3));
        }

        /** Writes a temporary file: the body, or a copy of a file with the body written at an offset. */
        private Path write(InputStream body, @Nullable Path over, long from) throws IOException {
            File directory = (File) context.getAttribute(ServletContext.TEMPDIR);
            Path written = Files.createTempFile(directory.toPath(), "put", null);
            boolean done = false;
            try (FileChannel file = FileChannel.open(written, StandardOpenOption.WRITE)) {
                if (over != null && Files.exists(over)) {
                    try (FileChannel old = FileChannel.open(over, StandardOpenOption.READ)) {
                        long size = old.size();
                        for (long at = 0; at < size; ) {
                            at += old.transferTo(at, size - at, file);
                        }
                    }
                }
                copy(body, file.position(from));
                done = true;
            } finally {
                if (!done) {
                    Files.deleteIfExists(written);
                }
            }
            return written;
        }

        private static void copy(InputStream body, FileChannel file) throws IOException {
            var in = Channels.newChannel(body);
            ByteBuffer buffer = ByteBuffer.allocate(COPY);
            while (in.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    file.write(buffer);
                }
            }
        }

        private static void move(Path written, Path place) throws IOException {
            try {
                Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException otherFileSystem) {
                Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** The request fields that are relevant to files, from the application's request, as filters may have changed them. */
    private static final class FileRequestHeaders {

        private static final List<String> NAMES = List.of(
                "Accept-Encoding",
                "If-Match",
                "If-None-Match",
                "If-Modified-Since",
                "If-Unmodified-Since",
                "If-Range",
                "Range");

        private FileRequestHeaders() {}

        static Headers of(HttpServletRequest request) {
            Headers headers = new Headers();
            for (String name : NAMES) {
                Enumeration<String> values = request.getHeaders(name);
                while (values != null && values.hasMoreElements()) {
                    headers.add(name, values.nextElement());
                }
            }
            return headers;
        }
    }
}
