package io.millrace.proxyprotocol;

import org.jspecify.annotations.Nullable;

/**
 * How far the header at the start of a connection is read. COMPLETE, ABSENT and REFUSED are ends.
 *
 * <pre>
 * from      event          to
 * START     VERSION_1      LINE       "PROXY " was read
 * START     VERSION_2      FIXED      the signature of twelve bytes was read
 * START     SOMETHING_ELSE ABSENT     these bytes begin no header
 * LINE      WHOLE          COMPLETE   carriage return, line feed
 * FIXED     LENGTH         BLOCK      sixteen bytes: the length of what follows is known
 * BLOCK     WHOLE          COMPLETE   all of that length
 * FIXED     WHOLE          COMPLETE   nothing follows
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

    /** Where the event leads to; null if it must not happen. */
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

    /** True while more bytes are wanted. */
    boolean isOpen() {
        return this == START || isWithin();
    }

    private boolean isWithin() {
        return this == LINE || this == FIXED || this == BLOCK;
    }
}
