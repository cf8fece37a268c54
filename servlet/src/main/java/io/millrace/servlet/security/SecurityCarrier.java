package io.millrace.servlet.security;

import org.jspecify.annotations.Nullable;

/** What deciding about a request needs of it. */
public interface SecurityCarrier {

    String method();

    /** Decoded and normalised, below the context path; begins with a slash or is empty. */
    String path();

    /** True if the request came encrypted. */
    boolean isSecure();

    /** A request field's first value. */
    @Nullable
    String header(String name);

    /** {@code http://host:port/path?query}, to redirect to its https twin. */
    String fullUrl();

    /** Where https is served; 0: nowhere, requests that need it answer 403. */
    int redirectPort();
}
