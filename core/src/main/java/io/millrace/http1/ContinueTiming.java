package io.millrace.http1;

/** When a client that sent {@code Expect: 100-continue} is told to go on (RFC 9110, 10.1.1). */
public enum ContinueTiming {
    /** When a handler first reads the body: a request that is refused costs no upload. */
    ON_READ,
    /** As soon as the request's head is read. */
    IMMEDIATELY
}
