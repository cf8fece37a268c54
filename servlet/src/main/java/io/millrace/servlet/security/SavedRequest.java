package io.millrace.servlet.security;

import io.millrace.http.LocalReference;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that is saved during a FORM login. Stored in the session, and passivated with it.
 *
 * @param rawPath the path as sent, without the session id
 * @param path the decoded path
 * @param fields names and values alternately
 * @param body the complete body
 * @param maxIdleSeconds the idle timeout of the session after the login; null: the timeout is not changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record SavedRequest(
        String method,
        String rawPath,
        String path,
        @Nullable String query,
        List<String> fields,
        byte[] body,
        @Nullable Integer maxIdleSeconds)
        implements Serializable {

    /** The location of the redirect after the login. */
    String location() {
        return LocalReference.of(rawPath, query);
    }

    SavedRequest withMaxIdleSeconds(@Nullable Integer seconds) {
        return new SavedRequest(method, rawPath, path, query, fields, body, seconds);
    }

    /** Whether a request follows the redirect to this one. */
    boolean isResumedBy(String otherMethod, String otherPath, @Nullable String otherQuery) {
        return otherMethod.equals("GET") && otherPath.equals(path) && Objects.equals(otherQuery, query);
    }

    /** Whether a GET of the same URL is equivalent, so that nothing has to be restored. */
    boolean isPlain() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
