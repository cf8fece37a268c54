package io.millrace.io;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trusted front end reported about one request, over AJP.
 *
 * @param keySize the length of the cipher's key in bits; 0 if it was not reported
 * @param tlsSessionId the id of the client's TLS session with the front end
 * @param certificates the client's certificate chain in PEM, its own certificate first, as reported: it has not been
 *     parsed or verified here
 * @param user the user whom the front end authenticated; null if there is none, or if the front end is not trusted with
 *     it
 * @param attributes request attributes that the front end sets: those whose names the operator allows
 */
public record FrontEndNotes(
        int keySize,
        @Nullable String tlsSessionId,
        @Nullable String certificates,
        @Nullable FrontEndUser user,
        Map<String, String> attributes) {

    /** No report. */
    public static final FrontEndNotes NONE = new FrontEndNotes(0, null, null, null, Map.of());
}
