package io.millrace.connector.spdy;

import io.millrace.client.ClientRequest;
import io.millrace.client.mux.ClientFrameWriter;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.MuxOptions;
import java.nio.ByteBuffer;

/** Writes the frames of a client: settings, then requests (SPDY/3, 2.6.1 and 3.2.1). */
final class SpdyClientWriter extends SpdyWriter implements ClientFrameWriter {

    private final SpdyRules rules;

    SpdyClientWriter(SpdyRules rules) {
        super(rules);
        this.rules = rules;
    }

    /** Disables server push. */
    @Override
    public void start(Batch to) {
        ByteBuffer out = control(to, SpdyFrame.SETTINGS, SpdyFrame.COUNT + 2 * SpdyFrame.SETTING);
        out.putInt(2);
        out.putInt(SpdyFrame.MAX_CONCURRENT_STREAMS).putInt(0);
        out.putInt(SpdyFrame.INITIAL_WINDOW_SIZE).putInt(rules.options().get(MuxOptions.INITIAL_WINDOW_SIZE));
    }

    @Override
    public void request(int id, ClientRequest request, boolean end, Batch to) {
        blocks().request(id, request, rules.streams().scheme(), end, to);
    }
}
