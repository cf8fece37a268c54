package io.millrace.http1;

/**
 * Checks the extensions of one chunk against their grammar (RFC 9112, 7.1.1), a byte at a time. Their meaning is ignored. What does
 * not follow the grammar is rejected, because a front end may see the end of a chunk's line elsewhere, for example behind a CR LF
 * within a quoted string.
 *
 * <pre>
 * state        | blank      | ;      | =       | "        | \        | token char | CR
 * SIZE_END     | SIZE_END   | SEMI   |         |          |          |            |
 * SEMI         | SEMI       |        |         |          |          | NAME       |
 * NAME         | NAME_END   | SEMI   | EQUALS  |          |          | NAME       | DONE
 * NAME_END     | NAME_END   | SEMI   | EQUALS  |          |          |            |
 * EQUALS       | EQUALS     |        |         | QUOTED   |          | VALUE      |
 * VALUE        | VALUE_END  | SEMI   |         |          |          | VALUE      | DONE
 * QUOTED       | QUOTED     | QUOTED | QUOTED  | UNQUOTED | ESCAPE   | QUOTED     |        other bytes of field values: QUOTED
 * ESCAPE       | QUOTED     | QUOTED | QUOTED  | QUOTED   | QUOTED   | QUOTED     |        other bytes of field values: QUOTED
 * UNQUOTED     | VALUE_END  | SEMI   |         |          |          |            | DONE
 * VALUE_END    | VALUE_END  | SEMI   |         |          |          |            |
 * </pre>
 */
final class ChunkExtensions {

    private enum State {
        SIZE_END,
        SEMI,
        NAME,
        NAME_END,
        EQUALS,
        VALUE,
        QUOTED,
        ESCAPE,
        UNQUOTED,
        VALUE_END,
        DONE,
        BAD
    }

    private State state = State.SIZE_END;

    /** Begins with the byte after a chunk's size. */
    void restart() {
        state = State.SIZE_END;
    }

    /** Whether the byte may follow those before. */
    boolean take(byte octet) {
        state = next(octet);
        return state != State.BAD;
    }

    /** Whether the last byte was the CR that ends the line. */
    boolean isDone() {
        return state == State.DONE;
    }

    private State next(byte octet) {
        return switch (state) {
            case SIZE_END, VALUE_END -> isBlank(octet) ? state : afterValue(octet, false);
            case SEMI -> isBlank(octet) ? state : isToken(octet) ? State.NAME : State.BAD;
            case NAME ->
                isToken(octet)
                        ? state
                        : isBlank(octet) ? State.NAME_END : octet == '=' ? State.EQUALS : afterValue(octet, true);
            case NAME_END -> isBlank(octet) ? state : octet == '=' ? State.EQUALS : afterValue(octet, false);
            case EQUALS ->
                isBlank(octet) ? state : octet == '"' ? State.QUOTED : isToken(octet) ? State.VALUE : State.BAD;
            case VALUE -> isToken(octet) ? state : isBlank(octet) ? State.VALUE_END : afterValue(octet, true);
            case QUOTED -> octet == '"' ? State.UNQUOTED : octet == '\\' ? State.ESCAPE : quoted(octet);
            case ESCAPE -> quoted(octet);
            case UNQUOTED -> isBlank(octet) ? State.VALUE_END : afterValue(octet, true);
            case DONE, BAD -> State.BAD;
        };
    }

    private static State afterValue(byte octet, boolean mayEnd) {
        return octet == ';' ? State.SEMI : mayEnd && octet == Octets.CR ? State.DONE : State.BAD;
    }

    private static State quoted(byte octet) {
        return Octets.FIELD_VALUE[octet & 0xff] ? State.QUOTED : State.BAD;
    }

    private static boolean isToken(byte octet) {
        return Octets.TOKEN_LOWER[octet & 0xff] != 0;
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }
}
