package io.millrace.io;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trusted front end says with one request, by AJP.
 *
 * @param keySize bits of the cipher's key; 0 if it did not say
 * @param tlsSessionId of the client's TLS session with it
 * @param certificates the client's certificate and those it was signed by, its own first, in PEM as they came: nobody has
 *     looked at them here
 * @param user the user it has logged in; null if none, or if the front end is not trusted
 * @param attributes what it wants to be attributes of the request: names that the operator allows, and values
 */
public record FrontEndNotes(
        int keySize,
        @Nullable String tlsSessionId,
        @Nullable String certificates,
        @Nullable FrontEndUser user,
        Map<String, String> attributes) {

    /** Nothing was reported. */
    public static final FrontEndNotes NONE = new FrontEndNotes(0, null, null, null, Map.of());
}
