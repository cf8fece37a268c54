package io.millrace.testkit;

import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A response of the contract, independent of the protocol.
 *
 * @param interim the statuses of the interim responses before it
 * @param body the body, decoded
 * @param complete whether it ended properly, and not because the connection broke
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ContractResponse(List<Integer> interim, int status, Headers headers, byte[] body, boolean complete) {

    /** The body as ISO 8859-1 text. */
    public String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }
}
