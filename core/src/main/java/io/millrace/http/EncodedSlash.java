package io.millrace.http;

/**
 * What becomes of {@code %2F} in a request's path. A front end that does not decode it sees one segment where a server
 * that does sees two, and its access rules no longer fit; so the default refuses it.
 */
public enum EncodedSlash {
    /** The request is refused (400). */
    REJECT,
    /** It becomes a slash like any other, before dots are resolved. */
    DECODE,
    /** {@code %2F} stays as it is, and so does {@code %25}: otherwise {@code %252F} would look the same. */
    PASSTHROUGH
}
