package io.millrace.protocol.mux;

/**
 * What the peer announces about itself; {@link #UNSAID} where it announces nothing. Values are those that the protocol allows: the
 * reader has checked them.
 *
 * @param initialWindow how many octets of DATA a new stream may be sent; 0 to 2³¹−1. Changes open streams by the difference
 * @param maxFrameSize the longest payload of a frame it takes
 * @param headerTableSize how many octets the header compression may remember for it
 * @param maxStreams how many streams we may open to it at a time
 * @param push 1 if it takes pushed responses, 0 if not
 * @param tunnels 1 if it opens tunnels (RFC 8441, 3), 0 if not
 */
public record PeerSettings(
        int initialWindow, int maxFrameSize, int headerTableSize, int maxStreams, int push, int tunnels) {

    /** Stands for a value that was not announced. */
    public static final int UNSAID = -1;

    /** Announces nothing. */
    public static final PeerSettings NONE = new PeerSettings(UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID);
}
