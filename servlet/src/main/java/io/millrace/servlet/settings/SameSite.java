package io.millrace.servlet.settings;

/** The SameSite attribute: whether browsers send a cookie with cross-site requests (RFC 6265bis, 4.1.2.7). */
public enum SameSite {
    /** Cookies have no such attribute: the browser's default applies. */
    UNSET,
    NONE,
    LAX,
    STRICT
}
