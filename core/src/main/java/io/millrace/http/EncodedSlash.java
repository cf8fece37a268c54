package io.millrace.http;

/**
 * The treatment of {@code %2F} in the path of a request. A front end that does not decode it sees one path segment where
 * a server that does sees two, so that the front end's access rules can be bypassed; hence the default is to reject it.
 */
public enum EncodedSlash {
    /** Reject the request (400). */
    REJECT,
    /** Decode it to a slash, before dot segments are resolved. */
    DECODE,
    /** Keep {@code %2F} undecoded, and {@code %25} too: otherwise {@code %252F} would be indistinguishable from it. */
    PASSTHROUGH
}
