package io.millrace.http1;

import io.millrace.http.HttpVersion;
import io.millrace.http.Tokens;
import io.millrace.protocol.RequestAssembly;
import org.jspecify.annotations.Nullable;

/**
 * What a head's fields say about where its request ends and the next begins (RFC 9112, 6 and 9). Whoever reads this
 * differently from a proxy in front can be fed a request the proxy never saw; so what is ambiguous is refused.
 */
final class Framing {

    private final RequestAssembly request;
    private @Nullable String coding;
    private int codings;
    private @Nullable String expect;
    private boolean close;
    private boolean keepAlive;

    Framing(RequestAssembly request) {
        this.request = request;
    }

    /** What the head is put together by. */
    RequestAssembly request() {
        return request;
    }

    /** A field that concerns the protocol was read. */
    void note(KnownField.Role role, String value) {
        switch (role) {
            case HOST -> request.noteHost(value);
            case CONTENT_LENGTH -> request.noteLength(value);
            case TRANSFER_ENCODING -> {
                request.noteCoding();
                coding = value;
                codings++;
            }
            case CONNECTION -> noteConnection(value);
            case EXPECT -> expect = value;
            case PLAIN -> {}
        }
    }

    /** All fields are there: are they in order? Null if so. */
    @Nullable
    Refusal check(HttpVersion version) {
        boolean old = version == HttpVersion.HTTP_1_0;
        if (request.host() == null && !old) {
            return Refusal.MISSING_HOST;
        }
        if (expect != null && !old && !expect.equalsIgnoreCase("100-continue")) {
            return Refusal.UNKNOWN_EXPECTATION;
        }
        if (coding != null && old) {
            return Refusal.CODING_IN_HTTP_1_0;
        }
        Refusal wrong = Refusal.of(request.checkFields());
        return wrong == null && coding != null ? checkCoding(coding) : wrong;
    }

    /** After the check: the body's length; -1 if it is chunked. */
    long contentLength() {
        return coding == null ? Math.max(0, request.announcedLength()) : -1;
    }

    /** Does the client allow another request on this connection (RFC 9112, 9.3)? */
    boolean isPersistent(HttpVersion version) {
        return !close && (keepAlive || version != HttpVersion.HTTP_1_0);
    }

    /** Has the client asked for that by name? */
    boolean asksForKeepAlive() {
        return keepAlive;
    }

    /** Does the client wait for 100 before it sends its body? */
    boolean expectsContinue(HttpVersion version) {
        return expect != null && version != HttpVersion.HTTP_1_0 && contentLength() != 0;
    }

    private @Nullable Refusal checkCoding(String value) {
        if (codings == 1 && value.equalsIgnoreCase("chunked")) {
            return null;
        }
        return codings == 1 && TransferCodings.endInChunked(value) ? Refusal.UNSUPPORTED_CODING : Refusal.BAD_CODING;
    }

    private void noteConnection(String value) {
        if (value.equalsIgnoreCase("keep-alive")) {
            keepAlive = true;
        } else {
            close |= Tokens.contains(value, "close");
            keepAlive |= Tokens.contains(value, "keep-alive");
        }
    }
}
