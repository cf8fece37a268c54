package io.millrace.servlet.security;

import io.millrace.http.LocalReference;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that came before its sender had logged in. Kept in the session, which may be passivated meanwhile.
 *
 * @param rawPath as sent, without a session's id
 * @param path the same, decoded
 * @param fields names and values by turns
 * @param body what was sent, all of it
 * @param maxIdleSeconds how long the session is to live unused once somebody has logged in; null: as it does already
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

    /** Where to send the client for it. */
    String location() {
        return LocalReference.of(rawPath, query);
    }

    SavedRequest withMaxIdleSeconds(@Nullable Integer seconds) {
        return new SavedRequest(method, rawPath, path, query, fields, body, seconds);
    }

    /** True if the client follows our redirect to it. */
    boolean isResumedBy(String otherMethod, String otherPath, @Nullable String otherQuery) {
        return otherMethod.equals("GET") && otherPath.equals(path) && Objects.equals(otherQuery, query);
    }

    /** True if a GET of the same place does as well. */
    boolean isPlain() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
