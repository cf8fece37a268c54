package io.millrace.http1;

import io.millrace.http.HttpVersion;
import io.millrace.http.Tokens;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import org.jspecify.annotations.Nullable;

/**
 * The framing of a request, as determined by its fields (RFC 9112, 6 and 9). A server that interprets it differently from a
 * proxy in front of it is open to request smuggling; ambiguous framing is therefore rejected.
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

    /** Assembles the head. */
    RequestAssembly request() {
        return request;
    }

    /** Records a field that concerns the protocol. */
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

    /** The violation in the fields, after all were read; null if there is none. */
    @Nullable
    RequestFault check(HttpVersion version) {
        boolean old = version == HttpVersion.HTTP_1_0;
        if (request.host() == null && !old) {
            return RequestFault.MISSING_HOST;
        }
        if (expect != null && !old && !expect.equalsIgnoreCase("100-continue")) {
            return RequestFault.UNKNOWN_EXPECTATION;
        }
        if (coding != null && old) {
            return RequestFault.CODING_IN_HTTP_1_0;
        }
        RequestFault wrong = request.checkFields();
        return wrong == null && coding != null ? checkCoding(coding) : wrong;
    }

    /** The length of the body; -1 if it is chunked. Called after {@link #check}. */
    long contentLength() {
        return coding == null ? Math.max(0, request.announcedLength()) : -1;
    }

    /** Whether the client allows another request on this connection (RFC 9112, 9.3). */
    boolean isPersistent(HttpVersion version) {
        return !close && (keepAlive || version != HttpVersion.HTTP_1_0);
    }

    /** Whether the client sent {@code Connection: keep-alive}. */
    boolean asksForKeepAlive() {
        return keepAlive;
    }

    /** Whether the client waits for 100 (Continue) before it sends its body. */
    boolean expectsContinue(HttpVersion version) {
        return expect != null && version != HttpVersion.HTTP_1_0 && contentLength() != 0;
    }

    private @Nullable RequestFault checkCoding(String value) {
        if (codings == 1 && value.equalsIgnoreCase("chunked")) {
            return null;
        }
        return codings == 1 && TransferCodings.endInChunked(value)
                ? RequestFault.UNSUPPORTED_CODING
                : RequestFault.BAD_CODING;
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
