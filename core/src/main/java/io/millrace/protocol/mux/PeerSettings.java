package io.millrace.protocol.mux;

/**
 * The peer's settings; {@link #UNSAID} for those that it has not sent. The reader has validated the values.
 *
 * @param initialWindow the initial window of streams for our DATA, in octets; 0 to 2³¹−1. A change also applies to open
 *     streams
 * @param maxFrameSize the maximum payload of a frame that the peer accepts, in octets
 * @param headerTableSize the maximum size of the header compression table, in octets
 * @param leastHeaderTableSize the least of several such values, which the table must have had meanwhile (RFC 7541, 4.2)
 * @param maxStreams the maximum number of concurrent streams that we may open
 * @param push 1 if the peer accepts pushed responses, 0 if not
 * @param tunnels 1 if the peer accepts requests for tunnels (RFC 8441, 3), 0 if not
 */
public record PeerSettings(
        int initialWindow,
        int maxFrameSize,
        int headerTableSize,
        int leastHeaderTableSize,
        int maxStreams,
        int push,
        int tunnels) {

    /** Settings without repeated values. */
    public PeerSettings(
            int initialWindow, int maxFrameSize, int headerTableSize, int maxStreams, int push, int tunnels) {
        this(initialWindow, maxFrameSize, headerTableSize, headerTableSize, maxStreams, push, tunnels);
    }

    /** In place of a value that was not sent. */
    public static final int UNSAID = -1;

    /** No settings. */
    public static final PeerSettings NONE = new PeerSettings(UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID);
}
