package io.millrace.examples;

import javax.servlet.http.HttpServletRequest;

/** Reads numbers out of a query. */
final class Parameters {

    private Parameters() {}

    /** The parameter as a number that isn't negative; the default if it is missing or is no such number. */
    static long number(HttpServletRequest request, String name, long byDefault) {
        String value = request.getParameter(name);
        try {
            return value == null ? byDefault : Math.max(0, Long.parseLong(value));
        } catch (NumberFormatException e) {
            return byDefault;
        }
    }
}
