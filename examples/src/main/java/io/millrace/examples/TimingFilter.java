package io.millrace.examples;

import java.io.IOException;
import javax.servlet.DispatcherType;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebFilter;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Filters every request and adds a response header. */
@WebFilter(urlPatterns = "/*", dispatcherTypes = DispatcherType.REQUEST, asyncSupported = true)
public class TimingFilter extends HttpFilter {

    static final String SEEN = TimingFilter.class.getName();

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long start = System.nanoTime();
        request.setAttribute(SEEN, true);
        response.setHeader("X-Filtered-By", "TimingFilter");
        chain.doFilter(request, response);
        getServletContext().setAttribute("lastMicros", Long.valueOf((System.nanoTime() - start) / 1000));
    }
}
