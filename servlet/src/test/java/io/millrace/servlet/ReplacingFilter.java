package io.millrace.servlet;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;

/** With the query {@code replace} the file asked for is another one as soon as somebody looks at the request's fields. */
public final class ReplacingFilter extends GenericFilter {

    private static final long serialVersionUID = 1;

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        boolean replace = "replace".equals(asked.getQueryString());
        chain.doFilter(replace ? new Replacing(asked) : asked, response);
    }

    private static final class Replacing extends HttpServletRequestWrapper {

        private final Path file;
        private boolean replaced;

        Replacing(HttpServletRequest request) {
            super(request);
            file = new File(request.getServletContext().getRealPath(request.getServletPath())).toPath();
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            if (!replaced) {
                replaced = true;
                replace();
            }
            return super.getHeaders(name);
        }

        private void replace() {
            try {
                Files.writeString(file, "another one");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
