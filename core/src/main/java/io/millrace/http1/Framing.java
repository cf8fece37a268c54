package io.millrace.http1;

import io.millrace.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * What a head's fields say about where its request ends and the next begins (RFC 9112, 6 and 9). Whoever reads this
 * differently from a proxy in front can be fed a request the proxy never saw; so what is ambiguous is refused.
 */
final class Framing {

    private static final int MAX_DIGITS = 18;

    private @Nullable String host;
    private int hosts;
    private @Nullable String length;
    private int lengths;
    private @Nullable String coding;
    private int codings;
    private @Nullable String expect;
    private boolean close;
    private boolean keepAlive;

    private long contentLength;

    /** A field that concerns the protocol was read. */
    void note(FieldName.Role role, String value) {
        switch (role) {
            case HOST -> {
                host = value;
                hosts++;
            }
            case CONTENT_LENGTH -> {
                length = value;
                lengths++;
            }
            case TRANSFER_ENCODING -> {
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
        if (hosts > 1) {
            return Refusal.DUPLICATE_HOST;
        }
        if (hosts == 0 && !old) {
            return Refusal.MISSING_HOST;
        }
        if (expect != null && !old && !expect.equalsIgnoreCase("100-continue")) {
            return Refusal.UNKNOWN_EXPECTATION;
        }
        if (coding != null) {
            return old ? Refusal.CODING_IN_HTTP_1_0 : checkCoding(coding);
        }
        return length == null ? null : checkLength(length);
    }

    @Nullable
    String host() {
        return host;
    }

    /** After the check: the body's length; -1 if it is chunked. */
    long contentLength() {
        return contentLength;
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
        return expect != null && version != HttpVersion.HTTP_1_0 && contentLength != 0;
    }

    private @Nullable Refusal checkCoding(String value) {
        if (length != null) {
            return Refusal.LENGTH_AND_CODING;
        }
        contentLength = -1;
        if (codings == 1 && value.equalsIgnoreCase("chunked")) {
            return null;
        }
        return codings == 1 && TransferCodings.endInChunked(value) ? Refusal.UNSUPPORTED_CODING : Refusal.BAD_CODING;
    }

    private @Nullable Refusal checkLength(String value) {
        if (lengths > 1) {
            return Refusal.DUPLICATE_LENGTH;
        }
        long sum = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Refusal.BAD_LENGTH;
            }
            sum = i < MAX_DIGITS ? 10 * sum + digit : sum;
        }
        contentLength = sum;
        if (value.isEmpty()) {
            return Refusal.BAD_LENGTH;
        }
        return value.length() > MAX_DIGITS ? Refusal.HUGE_LENGTH : null;
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
