package io.millrace.testkit;

import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A response of the contract's script, whatever the protocol.
 *
 * @param interim the statuses of interim responses before it
 * @param body its body, without any coding
 * @param complete did it end as it should, and not because the connection broke off?
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ContractResponse(List<Integer> interim, int status, Headers headers, byte[] body, boolean complete) {

    /** The body as ISO 8859-1 text. */
    public String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }
}
