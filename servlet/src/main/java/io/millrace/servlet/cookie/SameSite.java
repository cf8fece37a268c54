package io.millrace.servlet.cookie;

/** Whether a browser sends a cookie along with requests that other sites cause (RFC 6265bis, 4.1.2.7). */
public enum SameSite {
    /** Says nothing: the browser decides. */
    UNSET,
    NONE,
    LAX,
    STRICT
}
