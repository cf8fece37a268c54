package io.millrace.examples;

import java.io.CharArrayWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** Changes the servlet's output with a response wrapper. Mapped to /shout in web.xml. */
public class UpperCaseFilter extends HttpFilter {

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Captured captured = new Captured(response);
        chain.doFilter(request, captured);
        captured.writer.flush();
        response.getWriter().print(captured.text.toString().toUpperCase(Locale.ROOT));
    }

    private static final class Captured extends HttpServletResponseWrapper {

        private final CharArrayWriter text = new CharArrayWriter();
        private final PrintWriter writer = new PrintWriter(text);

        Captured(HttpServletResponse response) {
            super(response);
        }

        @Override
        public PrintWriter getWriter() {
            return writer;
        }
    }
}
