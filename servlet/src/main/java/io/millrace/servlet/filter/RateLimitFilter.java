package io.millrace.servlet.filter;

import io.millrace.io.LogThrottle;
import io.millrace.net.ClientNetwork;
import io.millrace.servlet.log.ServletLog;
import io.millrace.text.Plural;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of each IPv4 address, or IPv6 network of 64 bits, per time window, with the init-params of Tomcat's {@code RateLimitFilter}. Windows are
 * exact, while Tomcat's {@code FastRateLimiter} rounds 60 s to 65.5 s.
 */
public final class RateLimitFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private static final String LIMITER = "rateLimitClassName";
    private static final String FAST = "org.apache.catalina.util.FastRateLimiter";
    private static final String EXACT = "org.apache.catalina.util.ExactRateLimiter";

    /** The kind of log message. */
    private enum Logged {
        LIMITED
    }

    private final transient LogThrottle<Logged> throttle = new LogThrottle<>(Logged.class);

    private transient @Nullable RequestCounts counts;
    private int requests;
    private int seconds;
    private boolean enforces;
    private int status;
    private String statusMessage = "";
    private boolean exposes;
    private String policy = "";

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                "bucketDuration",
                "bucketRequests",
                "enforce",
                "statusCode",
                "statusMessage",
                "exposeHeaders",
                "policyName",
                LIMITER);
        seconds = parameters.number("bucketDuration", 60, 1, Integer.MAX_VALUE);
        requests = parameters.number("bucketRequests", 300, 1, Integer.MAX_VALUE);
        enforces = parameters.flag("enforce", true);
        status = parameters.number("statusCode", 429, 400, 599);
        statusMessage = parameters.text("statusMessage", "Too many requests");
        exposes = parameters.flag("exposeHeaders", false);
        String limiter = parameters.text(LIMITER, FAST);
        if (!List.of(FAST, EXACT).contains(limiter)) {
            throw FilterParameters.refused(LIMITER, limiter, FAST + " or " + EXACT + ", which are equivalent");
        }
        policy = '"' + parameters.text("policyName", "fast").replace("\"", "") + '"';
        counts = new RequestCounts(TimeUnit.SECONDS.toNanos(seconds), System::nanoTime);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestCounts all = counts;
        int count = all == null ? Integer.MAX_VALUE : all.increment(ClientNetwork.of(request.getRemoteAddr()));
        request.setAttribute("org.apache.catalina.filters.RateLimitFilter.Count", count);
        if (response instanceof HttpServletResponse http && exposes) {
            http.addHeader("RateLimit-Policy", policy + ";q=" + requests + ";w=" + seconds);
            if (enforces) {
                http.addHeader("RateLimit", policy + ";r=" + Math.max(0, requests - count));
            }
        }
        if (enforces && count > requests) {
            refuse(request, (HttpServletResponse) response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void refuse(ServletRequest request, HttpServletResponse response) throws IOException {
        if (throttle.isDue(Logged.LIMITED)) {
            ServletLog.FILTER.rateLimited(
                    getFilterName(), status, Plural.of(requests, "request"), seconds, request.getRemoteAddr());
        }
        response.sendError(status, statusMessage);
    }
}
