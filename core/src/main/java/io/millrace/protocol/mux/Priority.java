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
     * Of a request that says nothing: of usual urgency, and incremental. RFC 9218 has such responses follow each other instead;
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
