package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import io.millrace.net.AddressSet;
import java.util.Collections;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** The init-params of the filters that let clients in. What is wrong with one keeps the application from starting. */
final class FilterParameters {

    private static final String ALLOW = "allow";
    private static final String DENY = "deny";
    private static final String DENY_STATUS = "denyStatus";
    private static final int FORBIDDEN = 403;

    private final FilterConfig config;

    /** @throws ServletException if there is a parameter of another name: it would restrict nobody */
    FilterParameters(FilterConfig config) throws ServletException {
        this.config = config;
        for (String name : Collections.list(config.getInitParameterNames())) {
            if (!Set.of(ALLOW, DENY, DENY_STATUS).contains(name)) {
                throw new ServletException("the filter has no init-param " + name + "; expected " + ALLOW + ", " + DENY
                        + " or " + DENY_STATUS);
            }
        }
    }

    AddressRule patterns() throws ServletException {
        return AddressRule.patterns(pattern(ALLOW), pattern(DENY));
    }

    AddressRule ranges() throws ServletException {
        return AddressRule.ranges(addresses(ALLOW), addresses(DENY));
    }

    int denyStatus() throws ServletException {
        String value = text(DENY_STATUS);
        if (value == null) {
            return FORBIDDEN;
        }
        if (!value.strip().matches("[45]\\d\\d")) {
            throw new ServletException("the filter's init-param " + DENY_STATUS + " is \"" + value
                    + "\"; expected a number from 400 to 599");
        }
        return Integer.parseInt(value.strip());
    }

    private @Nullable Pattern pattern(String name) throws ServletException {
        String value = text(name);
        try {
            return value == null ? null : Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            throw new ServletException(
                    "the filter's init-param " + name + " is no regular expression: " + e.getDescription(), e);
        }
    }

    private AddressSet addresses(String name) throws ServletException {
        String value = text(name);
        try {
            return AddressSet.parse(value == null ? "" : value);
        } catch (IllegalArgumentException e) {
            throw new ServletException("the filter's init-param " + name + ": " + e.getMessage(), e);
        }
    }

    /** Null if it is missing or empty. */
    private @Nullable String text(String name) {
        String value = config.getInitParameter(name);
        return value == null || value.isEmpty() ? null : value;
    }
}
