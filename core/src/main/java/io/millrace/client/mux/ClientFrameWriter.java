package io.millrace.client.mux;

import io.millrace.client.ClientRequest;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.FrameWriter;

/** Encodes the frames of a client: requests, besides those of all multiplexed connections. */
public interface ClientFrameWriter extends FrameWriter {

    /**
     * The head of a request. A request with an upgrade opens a tunnel; only if {@link #hasTunnels}.
     *
     * @param end whether there is no body
     */
    void request(int id, ClientRequest request, boolean end, Batch to);

    /** Whether a request can open a tunnel, if the server's settings allow it. */
    default boolean hasTunnels() {
        return false;
    }
}
