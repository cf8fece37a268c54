package io.millrace.servlet.resource;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * The default servlet: sends files of the application's {@link ResourceTree}. Registered by the container under the name
 * {@code default} for {@code /}. Does not do welcome files, which are a matter of mapping. In an include it sends the
 * included path's content.
 */
public final class StaticServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    /** From here on the kernel sends the file; below, one write with the head is cheaper (Tomcat's sendfileSize). */
    private static final long SENDFILE = 48 * 1024;

    private final transient ResourceTree resources;

    public StaticServlet(ResourceTree resources) {
        this.resources = resources;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            include(request, response);
            return;
        }
        boolean direct = request.getDispatcherType() == DispatcherType.REQUEST;
        String method = request.getMethod();
        if (direct && method.equals("OPTIONS")) {
            response.setHeader("Allow", ALLOWED);
        } else if (direct && !method.equals("GET") && !method.equals("HEAD")) {
            response.setHeader("Allow", ALLOWED);
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        } else {
            // a forward and an error page of a POST are answered with the file all the same
            find(request, response, direct);
        }
    }

    private void find(HttpServletRequest request, HttpServletResponse response, boolean direct) throws IOException {
        String path = path(request.getServletPath(), request.getPathInfo());
        Resource resource = direct && ResourceTree.isProtected(path) ? null : resources.find(path);
        if (resource == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (!resource.isDirectory()) {
            send(resource, request, response);
        } else if (direct && !path.endsWith("/")) {
            response.sendRedirect(withSlash(request));
        } else {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }

    private void send(Resource resource, HttpServletRequest request, HttpServletResponse response) throws IOException {
        String etag = "W/\"" + resource.length() + "-" + resource.lastModified() + "\"";
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            response.setHeader("ETag", etag);
            response.setDateHeader("Last-Modified", resource.lastModified());
            switch (new Conditions(request, etag, resource.lastModified()).outcome()) {
                case NOT_MODIFIED -> {
                    response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
                    return;
                }
                case FAILED -> {
                    response.sendError(HttpServletResponse.SC_PRECONDITION_FAILED);
                    return;
                }
                case SEND -> {}
            }
        }
        String type = getServletContext().getMimeType(resource.name());
        if (type != null) {
            response.setContentType(type);
        }
        if (request.getMethod().equals("HEAD")) {
            response.setContentLengthLong(resource.length());
        } else if (!sendFile(resource, response)) {
            response.setContentLengthLong(resource.length());
            copy(resource, response);
        }
    }

    private static boolean sendFile(Resource resource, HttpServletResponse response) throws IOException {
        Path file = resource.file();
        if (file == null || resource.length() < SENDFILE || !(response instanceof FileSender sender)) {
            return false;
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        boolean taken = false;
        try {
            response.setContentLengthLong(resource.length());
            taken = sender.sendFile(channel, 0, resource.length());
            return taken;
        } finally {
            if (!taken) {
                channel.close();
            }
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
        copy(resource, response);
    }

    /** Through the writer if the application, or a filter, has taken that. */
    private static void copy(Resource resource, HttpServletResponse response) throws IOException {
        OutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException writerTaken) {
            try (InputStreamReader in = new InputStreamReader(resource.open(), UTF_8)) {
                in.transferTo(response.getWriter());
            }
            return;
        }
        try (InputStream in = resource.open()) {
            in.transferTo(out);
        }
    }

    private static String path(String servletPath, String pathInfo) {
        String path = (servletPath == null ? "" : servletPath) + (pathInfo == null ? "" : pathInfo);
        return path.isEmpty() ? "/" : path;
    }

    /** Two leading slashes would name another host (RFC 3986, 4.2). */
    private static String withSlash(HttpServletRequest request) {
        String path = request.getRequestURI().replaceFirst("^/+", "/") + "/";
        String query = request.getQueryString();
        return query == null ? path : path + "?" + query;
    }
}
