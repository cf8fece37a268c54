package io.millrace.compression;

/** Which responses are compressed. */
public enum CompressionMode {
    /** None. */
    OFF,
    /** Those that are large enough, of a type that is worth it, and for a client that is no exception. */
    ON,
    /** All, regardless of size, type and client. */
    FORCE
}
