package io.millrace.protocol.mux;

/**
 * Which of a connection's responses goes first (RFC 9218, 4). There are sixteen, so that a stream needs no object for its own.
 */
public final class Priority {

    /** Urgencies go from 0, the most urgent, to one less than this. */
    public static final int URGENCIES = 8;

    private static final int DEFAULT_URGENCY = 3;

    private static final Priority[] ALL = new Priority[2 * URGENCIES];

    static {
        for (int i = 0; i < ALL.length; i++) {
            ALL[i] = new Priority(i >> 1, (i & 1) != 0);
        }
    }

    /**
     * Of a request that has none: of usual urgency, and incremental. RFC 9218 has such responses follow each other instead;
     * on a front end's connection, which all its users share, one long download would then hold up everybody.
     */
    public static final Priority UNSAID = of(DEFAULT_URGENCY, true);

    private final int urgency;
    private final boolean incremental;

    private Priority(int urgency, boolean incremental) {
        this.urgency = urgency;
        this.incremental = incremental;
    }

    /**
     * A priority.
     *
     * @param urgency 0 to 7, 0 the most urgent
     * @param incremental can the peer use parts of the response, so that it takes turns with others of its urgency?
     * @throws IllegalArgumentException if there is no such urgency
     */
    public static Priority of(int urgency, boolean incremental) {
        if (urgency < 0 || urgency >= URGENCIES) {
            throw new IllegalArgumentException("the urgency is " + urgency + "; expected 0 to 7");
        }
        return ALL[2 * urgency + (incremental ? 1 : 0)];
    }

    /**
     * Parses a Priority field (RFC 9218, 4 and 5), a dictionary of which two keys matter here. What it omits, or has
     * malformed, keeps its value; of a key that occurs twice the last counts.
     *
     * @param before a priority of which the field changes something
     */
    public static Priority parse(String field, Priority before) {
        int urgency = before.urgency;
        boolean incremental = before.incremental;
        for (String member : field.split(",", -1)) {
            String text = member.strip();
            int parameters = text.indexOf(';');
            text = parameters < 0 ? text : text.substring(0, parameters).strip();
            if (text.length() == 3 && text.startsWith("u=") && text.charAt(2) >= '0' && text.charAt(2) <= '7') {
                urgency = text.charAt(2) - '0';
            } else if (text.equals("i") || text.equals("i=?1")) {
                incremental = true;
            } else if (text.equals("i=?0")) {
                incremental = false;
            }
        }
        return of(urgency, incremental);
    }

    /** 0 to 7, 0 the most urgent. */
    public int urgency() {
        return urgency;
    }

    /** Does the response take turns with others of its urgency? */
    public boolean isIncremental() {
        return incremental;
    }

    @Override
    public String toString() {
        return "u=" + urgency + (incremental ? ", i" : "");
    }
}
