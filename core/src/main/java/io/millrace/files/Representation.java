package io.millrace.files;

import io.millrace.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * One form of a file (RFC 9110, 3.2): as it is, or compressed beforehand. Immutable but for its content, which is known
 * while the cache holds it.
 */
final class Representation {

    private final ServedFile file;
    private final @Nullable String coding;
    private final String type;
    private final Validators validators;
    private final boolean ranges;
    private final boolean negotiated;

    /** The cache's own hold on the content. */
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

    /** What is true of it whether it is sent or not. */
    void describe(Headers response) {
        response.add("ETag", validators.etag()).add("Last-Modified", validators.date());
        if (negotiated) {
            response.add("Vary", "Accept-Encoding");
        }
    }

    /** What is true of it when it, or part of it, is sent. */
    void describeContent(Headers response) {
        if (coding != null) {
            response.add("Content-Encoding", coding);
        }
        if (ranges) {
            response.add("Accept-Ranges", "bytes");
        }
    }

    /** The content, held for the caller, who releases it; null if it is not in memory nor open. */
    @Nullable
    Content retained() {
        Content known = content;
        return known != null && known.retain() ? known : null;
    }

    boolean hasContent() {
        return content != null;
    }

    /** The cache's. */
    void content(@Nullable Content value) {
        content = value;
    }

    @Nullable
    Content content() {
        return content;
    }
}
