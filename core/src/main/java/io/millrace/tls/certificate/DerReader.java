package io.millrace.tls.certificate;

import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;

/** A parser of DER (X.690), limited to what private keys need. */
final class DerReader {

    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int OBJECT_ID = 0x06;
    static final int SEQUENCE = 0x30;
    static final int CONTEXT_0 = 0xa0;

    private final byte[] bytes;
    private int at;
    private final int end;

    DerReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private DerReader(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    boolean hasMore() {
        return at < end;
    }

    /** Whether the next value is of this type. */
    boolean isNext(int tag) {
        return at < end && (bytes[at] & 0xff) == tag;
    }

    /** A reader of the content of the next value, which must be of this type. */
    DerReader enter(int tag) throws InvalidKeySpecException {
        if (!isNext(tag)) {
            throw new InvalidKeySpecException("does not match its label: expected an ASN.1 value of type "
                    + Integer.toHexString(tag) + " at byte " + at);
        }
        at++;
        int length = length();
        if (length > end - at) {
            throw new InvalidKeySpecException("is truncated at byte " + end);
        }
        DerReader inside = new DerReader(bytes, at, at + length);
        at += length;
        return inside;
    }

    /** The content of the next value, which must be of this type. */
    byte[] read(int tag) throws InvalidKeySpecException {
        return enter(tag).rest();
    }

    /** The next value with its tag and length. */
    byte[] readWhole() throws InvalidKeySpecException {
        int from = at;
        if (!hasMore()) {
            throw new InvalidKeySpecException("is truncated at byte " + end);
        }
        enter(bytes[at] & 0xff);
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** An integer of at most four bytes. */
    int number() throws InvalidKeySpecException {
        byte[] digits = read(INTEGER);
        if (digits.length > 4) {
            throw new InvalidKeySpecException("has a number of " + digits.length + " bytes; expected at most 4");
        }
        int value = 0;
        for (byte digit : digits) {
            value = value << 8 | (digit & 0xff);
        }
        return value;
    }

    /** In the notation {@code 1.2.840}. */
    String objectId() throws InvalidKeySpecException {
        byte[] id = read(OBJECT_ID);
        StringBuilder text = new StringBuilder();
        long part = 0;
        for (byte octet : id) {
            part = part << 7 | (octet & 0x7f);
            if (octet >= 0) {
                if (text.length() == 0) {
                    long first = Math.min(part / 40, 2);
                    text.append(first).append('.').append(part - first * 40);
                } else {
                    text.append('.').append(part);
                }
                part = 0;
            }
        }
        return text.toString();
    }

    private byte[] rest() {
        return Arrays.copyOfRange(bytes, at, end);
    }

    /** A length of one byte, or the number of its bytes, followed by them (X.690, 8.1.3). */
    private int length() throws InvalidKeySpecException {
        int first = next();
        if (first < 0x80) {
            return first;
        }
        int value = 0;
        for (int left = first & 0x7f; left > 0; left--) {
            value = value << 8 | next();
            if (value < 0 || value > bytes.length) {
                throw new InvalidKeySpecException("is truncated at byte " + end);
            }
        }
        return value;
    }

    private int next() throws InvalidKeySpecException {
        if (at >= end) {
            throw new InvalidKeySpecException("is truncated at byte " + end);
        }
        return bytes[at++] & 0xff;
    }
}
