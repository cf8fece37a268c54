package io.millrace.examples;

import javax.servlet.http.HttpServletRequest;

/** Parses numbers in parameters. */
final class Parameters {

    private Parameters() {}

    /** Returns the parameter, 0 if it is negative, or the default if it is missing or not a number. */
    static long number(HttpServletRequest request, String name, long byDefault) {
        String value = request.getParameter(name);
        try {
            return value == null ? byDefault : Math.max(0, Long.parseLong(value));
        } catch (NumberFormatException e) {
            return byDefault;
        }
    }
}
