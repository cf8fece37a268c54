package io.millrace.protocol.mux;

/**
 * The priority of a response (RFC 9218, 4). One of sixteen shared objects, so that streams need none of their own.
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
     * The priority of a request that specifies none: of default urgency, and incremental. By RFC 9218 such responses are sent
     * one after the other; on a front end's connection, which many users share, one long download would then block all others.
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
     * @param incremental whether the peer can use parts of the response, so that it is interleaved with others of its urgency
     * @throws IllegalArgumentException if there is no such urgency
     */
    public static Priority of(int urgency, boolean incremental) {
        if (urgency < 0 || urgency >= URGENCIES) {
            throw new IllegalArgumentException("the urgency is " + urgency + "; expected 0 to 7");
        }
        return ALL[2 * urgency + (incremental ? 1 : 0)];
    }

    /**
     * Parses a Priority field (RFC 9218, 4 and 5), a dictionary of which two keys matter here. A missing or malformed key
     * keeps its value; the last of several equal keys counts.
     *
     * @param before the priority that the field modifies
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

    /** The urgency: 0 to 7, 0 the most urgent. */
    public int urgency() {
        return urgency;
    }

    /** Whether the response is interleaved with others of its urgency. */
    public boolean isIncremental() {
        return incremental;
    }

    @Override
    public String toString() {
        return "u=" + urgency + (incremental ? ", i" : "");
    }
}
