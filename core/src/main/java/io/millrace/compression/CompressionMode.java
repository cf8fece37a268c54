package io.millrace.compression;

/** Which responses are compressed. */
public enum CompressionMode {
    /** None. */
    OFF,
    /** Compress responses that are large enough, of a compressible type, and not to an excluded client. */
    ON,
    /** Compress everything, regardless of size, type and client. */
    FORCE
}
