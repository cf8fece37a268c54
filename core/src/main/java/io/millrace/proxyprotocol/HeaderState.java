package io.millrace.proxyprotocol;

import org.jspecify.annotations.Nullable;

/**
 * The states of parsing the header at the start of a connection. COMPLETE, ABSENT and REFUSED are final.
 *
 * <pre>
 * from      event          to
 * START     VERSION_1      LINE       "PROXY " was read
 * START     VERSION_2      FIXED      the signature of twelve bytes was read
 * START     SOMETHING_ELSE ABSENT     the bytes are not the start of a header
 * LINE      WHOLE          COMPLETE   carriage return and line feed were read
 * FIXED     LENGTH         BLOCK      sixteen bytes were read: the length of the rest is known
 * BLOCK     WHOLE          COMPLETE   the rest was read
 * FIXED     WHOLE          COMPLETE   the length of the rest is 0
 * LINE, FIXED, BLOCK  BAD  REFUSED
 * </pre>
 */
enum HeaderState {
    START,
    LINE,
    FIXED,
    BLOCK,
    COMPLETE,
    ABSENT,
    REFUSED;

    enum Event {
        VERSION_1,
        VERSION_2,
        SOMETHING_ELSE,
        LENGTH,
        WHOLE,
        BAD
    }

    /** The next state; null if the event must not occur. */
    static @Nullable HeaderState next(HeaderState from, Event event) {
        return switch (event) {
            case VERSION_1 -> from == START ? LINE : null;
            case VERSION_2 -> from == START ? FIXED : null;
            case SOMETHING_ELSE -> from == START ? ABSENT : null;
            case LENGTH -> from == FIXED ? BLOCK : null;
            case WHOLE -> from.isWithin() ? COMPLETE : null;
            case BAD -> from.isWithin() ? REFUSED : null;
        };
    }

    /** True while more input is needed. */
    boolean isOpen() {
        return this == START || isWithin();
    }

    private boolean isWithin() {
        return this == LINE || this == FIXED || this == BLOCK;
    }
}
