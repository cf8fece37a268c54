package io.millrace.connector.spdy;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;

/**
 * Parses one decompressed header block, in pieces of any size (SPDY/3, 2.6.10).
 *
 * <pre>
 * COUNT ──▸ NAME_LENGTH ──▸ NAME ──▸ VALUE_LENGTH ──▸ VALUE ──▸ COMPLETE
 *                ▴────────────── next field ───────────┘
 * </pre>
 *
 * Numbers have four octets. Strings beyond the limit are skipped, so that the connection can continue.
 */
final class NameValueBlock {

    /** Receives the fields. */
    interface Fields {
        /** A field, in the order of the block; several values are joined by NUL. */
        void field(String name, String value);

        /** The fields exceed the limit: no more are reported. */
        void tooLarge();
    }

    private enum State {
        COUNT,
        NAME_LENGTH,
        NAME,
        VALUE_LENGTH,
        VALUE,
        COMPLETE
    }

    private static final int NUMBER = 4;
    private static final byte[] NOTHING = {};

    private final SpdyTexts texts;
    private final Fields fields;
    private State state = State.COUNT;

    /** The rest of the limit for the octets of all names and values. */
    private long left;

    private boolean tooLarge;
    private int number;
    private int numberLength;
    private long pairs;

    /** The octets of the current string, if it is split between pieces. */
    private byte[] text = NOTHING;

    private int textLength;
    private long skipped;
    private String name = "";

    /**
     * Creates a parser for one block.
     *
     * @param limit the most octets of all names and values
     */
    NameValueBlock(SpdyTexts texts, int limit, Fields fields) {
        this.texts = texts;
        this.left = limit;
        this.fields = fields;
    }

    /** Parses the first {@code length} octets of the array. */
    void read(byte[] bytes, int length) throws ConnectionFault {
        int at = 0;
        while (at < length || isEmptyString()) {
            at = switch (state) {
                case COUNT, NAME_LENGTH, VALUE_LENGTH -> number(bytes, at, length);
                case NAME, VALUE -> string(bytes, at, length);
                case COMPLETE ->
                    throw new ConnectionFault(
                            Fault.COMPRESSION, "a header block that is longer than its lengths state");
            };
        }
    }

    /** Whether all fields have been parsed. */
    boolean isComplete() {
        return state == State.COMPLETE;
    }

    /** Whether an empty string is next, which needs no further octet. */
    private boolean isEmptyString() {
        return (state == State.NAME || state == State.VALUE) && number == 0;
    }

    private int number(byte[] bytes, int from, int to) {
        int at = from;
        while (numberLength < NUMBER && at < to) {
            number = number << 8 | bytes[at++] & 0xff;
            numberLength++;
        }
        if (numberLength == NUMBER) {
            numberLength = 0;
            numberRead(number & 0xffff_ffffL);
        }
        return at;
    }

    private void numberRead(long value) {
        if (state == State.COUNT) {
            pairs = value;
            number = 0;
            state = pairs == 0 ? State.COMPLETE : State.NAME_LENGTH;
            return;
        }
        state = state == State.NAME_LENGTH ? State.NAME : State.VALUE;
        left -= value;
        textLength = 0;
        skipped = 0;
        if (left < 0 && !tooLarge) {
            tooLarge = true;
            fields.tooLarge();
        }
    }

    private int string(byte[] bytes, int from, int to) {
        long length = number & 0xffff_ffffL;
        if (tooLarge) {
            long part = Math.min(length - skipped, to - from);
            skipped += part;
            if (skipped == length) {
                stringRead("");
            }
            return from + (int) part;
        }
        int wanted = (int) length - textLength;
        if (textLength == 0 && wanted <= to - from) {
            stringRead(texts.text(bytes, from, from + wanted, state == State.NAME ? "" : name));
            return from + wanted;
        }
        int part = Math.min(wanted, to - from);
        if (textLength == 0) {
            text = new byte[(int) length];
        }
        System.arraycopy(bytes, from, text, textLength, part);
        textLength += part;
        if (part == wanted) {
            stringRead(texts.text(text, 0, textLength, state == State.NAME ? "" : name));
            text = NOTHING;
        }
        return from + part;
    }

    private void stringRead(String string) {
        number = 0;
        if (state == State.NAME) {
            name = string;
            state = State.VALUE_LENGTH;
            return;
        }
        if (!tooLarge) {
            fields.field(name, string);
        }
        pairs--;
        state = pairs == 0 ? State.COMPLETE : State.NAME_LENGTH;
    }
}
