package io.millrace.servlet.filter;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Locale;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Adds a charset to text responses without one, so that browsers do not guess, like Tomcat's {@code AddDefaultCharsetFilter}. The
 * init-param {@code encoding} is a charset name, {@code default} for ISO-8859-1 (the default), or {@code system} for that of the
 * JVM.
 */
public final class AddDefaultCharsetFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private String encoding = "ISO-8859-1";

    @Override
    public void init() throws ServletException {
        String name = FilterParameters.strict(getFilterConfig(), "encoding").text("encoding", "default");
        try {
            encoding = name.equalsIgnoreCase("default")
                    ? encoding
                    : name.equalsIgnoreCase("system")
                            ? Charset.defaultCharset().name()
                            : Charset.forName(name).name();
        } catch (IllegalArgumentException unknown) {
            throw FilterParameters.refused("encoding", name, "default, system or an encoding that the JVM supports");
        }
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, new WithEncoding(response, encoding));
    }

    private static final class WithEncoding extends HttpServletResponseWrapper {

        private String encoding;

        WithEncoding(HttpServletResponse response, String encoding) {
            super(response);
            this.encoding = encoding;
        }

        @Override
        public void setCharacterEncoding(String charset) {
            super.setCharacterEncoding(charset);
            encoding = charset;
        }

        @Override
        public void setContentType(@Nullable String type) {
            if (type == null || !isText(type)) {
                super.setContentType(type);
            } else if (type.toLowerCase(Locale.ROOT).contains("charset=")) {
                super.setContentType(type);
                encoding = getCharacterEncoding();
            } else {
                super.setContentType(type + ";charset=" + encoding);
            }
        }

        @Override
        public void setHeader(String name, String value) {
            if (name.equalsIgnoreCase("Content-Type")) {
                setContentType(value);
            } else {
                super.setHeader(name, value);
            }
        }

        @Override
        public void addHeader(String name, String value) {
            if (name.equalsIgnoreCase("Content-Type")) {
                setContentType(value);
            } else {
                super.addHeader(name, value);
            }
        }

        private static boolean isText(String type) {
            return type.regionMatches(true, 0, "text/", 0, 5);
        }
    }
}
