package io.millrace.testkit;

import io.millrace.http.Headers;

/**
 * A request of the contract's script, whatever the protocol.
 *
 * @param target path and query
 * @param headers besides those that the protocol needs
 * @param body its whole body
 * @param lengthKnown announce the body's length, or let only its end tell
 * @param trailers fields after a body of unknown length
 * @param expectContinue wait for leave before sending the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ContractRequest(
        String method,
        String target,
        Headers headers,
        byte[] body,
        boolean lengthKnown,
        Headers trailers,
        boolean expectContinue) {

    /** A request without a body. */
    public static ContractRequest of(String method, String target) {
        return new ContractRequest(method, target, new Headers(), new byte[0], true, new Headers(), false);
    }

    /** The same with a body. */
    public ContractRequest withBody(byte[] bytes, boolean known) {
        return new ContractRequest(method, target, headers, bytes, known, trailers, expectContinue);
    }

    /** The same with one more field. */
    public ContractRequest with(String name, String value) {
        headers.add(name, value);
        return this;
    }

    /** The same with a field after the body. */
    public ContractRequest withTrailer(String name, String value) {
        trailers.add(name, value);
        return this;
    }

    /** The same, waiting for leave to send the body. */
    public ContractRequest expectingContinue() {
        return new ContractRequest(method, target, headers, body, lengthKnown, trailers, true);
    }
}
