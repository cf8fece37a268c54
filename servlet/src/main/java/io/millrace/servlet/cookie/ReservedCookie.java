package io.millrace.servlet.cookie;

import javax.servlet.http.Cookie;

/** A received cookie whose name the constructor of the API refuses: that of an attribute, such as {@code version}, or one with {@code $}. */
final class ReservedCookie extends Cookie {

    private static final long serialVersionUID = 1L;

    private final String name;

    ReservedCookie(String name, String value) {
        super("reserved", value);
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }
}
