package io.millrace.testkit;

import io.millrace.http.Headers;

/**
 * A request of the contract, independent of the protocol.
 *
 * @param target path and query
 * @param headers in addition to those that the protocol requires
 * @param body the complete body
 * @param lengthKnown whether the length of the body is announced
 * @param trailers trailer fields after a body of unknown length
 * @param expectContinue whether to wait for a 100 response before sending the body
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

    /** The same request with a body. */
    public ContractRequest withBody(byte[] bytes, boolean known) {
        return new ContractRequest(method, target, headers, bytes, known, trailers, expectContinue);
    }

    /** The same request with another field. */
    public ContractRequest with(String name, String value) {
        headers.add(name, value);
        return this;
    }

    /** The same request with another trailer field. */
    public ContractRequest withTrailer(String name, String value) {
        trailers.add(name, value);
        return this;
    }

    /** The same request, which waits for a 100 response before sending the body. */
    public ContractRequest expectingContinue() {
        return new ContractRequest(method, target, headers, body, lengthKnown, trailers, true);
    }
}
