package io.millrace.http1;

/** When a client that sent {@code Expect: 100-continue} gets the 100 response (RFC 9110, 10.1.1). */
public enum ContinueTiming {
    /** When a handler first reads the body: a request that is rejected causes no upload. */
    ON_READ,
    /** As soon as the head of the request has been read. */
    IMMEDIATELY
}
