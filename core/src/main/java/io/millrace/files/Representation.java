package io.millrace.files;

import io.millrace.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A representation of a file (RFC 9110, 3.2): plain or precompressed. Immutable, except for its content, which is set while it
 * is cached.
 */
final class Representation {

    private final ServedFile file;
    private final @Nullable String coding;
    private final String type;
    private final Validators validators;
    private final boolean ranges;
    private final boolean negotiated;

    /** Retained by the cache; null if it is not cached. */
    private volatile @Nullable Content content;

    Representation(
            ServedFile file,
            @Nullable String coding,
            String type,
            Validators validators,
            boolean ranges,
            boolean negotiated) {
        this.file = file;
        this.coding = coding;
        this.type = type;
        this.validators = validators;
        this.ranges = ranges;
        this.negotiated = negotiated;
    }

    ServedFile file() {
        return file;
    }

    @Nullable
    String coding() {
        return coding;
    }

    String type() {
        return type;
    }

    Validators validators() {
        return validators;
    }

    boolean hasRanges() {
        return ranges;
    }

    /** Adds the header fields that apply whether it is sent or not. */
    void describe(Headers response) {
        response.add("ETag", validators.etag()).add("Last-Modified", validators.date());
        if (negotiated) {
            response.add("Vary", "Accept-Encoding");
        }
    }

    /** Adds the header fields that apply if it, or a part of it, is sent. */
    void describeContent(Headers response) {
        if (coding != null) {
            response.add("Content-Encoding", coding);
        }
        if (ranges) {
            response.add("Accept-Ranges", "bytes");
        }
    }

    /** The content, retained for the caller; null if it is not cached. */
    @Nullable
    Content retained() {
        Content known = content;
        return known != null && known.retain() ? known : null;
    }

    boolean hasContent() {
        return content != null;
    }

    /** Called by the cache only. */
    void content(@Nullable Content value) {
        content = value;
    }

    @Nullable
    Content content() {
        return content;
    }
}
