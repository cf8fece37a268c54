package io.millrace.connector.spdy;

import io.millrace.http.Headers;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.MuxContractClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The frames of SPDY for the contract's client. */
final class SpdyContractWire implements MuxContractClient.Wire {

    private static final byte[] NOTHING = {};

    private final SpdyWire wire = new SpdyWire();
    private final SpdyHeard heard = new SpdyHeard();

    /** A client of one version, on a link. */
    static ContractClient client(ContractLink link, SpdyVersion version) throws IOException {
        long connectionWindow = version.hasConnectionWindow() ? SpdyFrame.FIRST_WINDOW : Long.MAX_VALUE;
        return new MuxContractClient(link, new SpdyContractWire(), SpdyFrame.FIRST_WINDOW, connectionWindow);
    }

    @Override
    public byte[] begin() {
        return wire.setting(SpdyFrame.INITIAL_WINDOW_SIZE, MuxContractClient.WIDE)
                .numbers(SpdyFrame.WINDOW_UPDATE, 0, MuxContractClient.WIDE)
                .take();
    }

    @Override
    public byte[] request(int id, String method, String target, List<String> fields, boolean end) {
        List<String> all = new ArrayList<>(List.of(SpdyWire.line(method, target)));
        all.addAll(fields);
        return wire.request(id, end, all.toArray(String[]::new)).take();
    }

    @Override
    public byte[] data(int id, byte[] part, boolean end) {
        return wire.data(id, part, end).take();
    }

    @Override
    public byte[] trailers(int id, List<String> fields) {
        return wire.headers(id, true, fields.toArray(String[]::new)).take();
    }

    @Override
    public byte[] read(MuxContractClient.Octets from, MuxContractClient.Sink to) throws IOException {
        ByteBuffer head = ByteBuffer.wrap(from.next(SpdyFrame.HEAD));
        int first = head.getInt();
        int second = head.getInt();
        boolean end = (second >>> 24 & SpdyFrame.FIN) != 0;
        byte[] payload = from.next(second & 0xff_ffff);
        if (first >= 0) {
            to.data(first, payload, end);
        } else {
            control(first & 0xffff, end, payload, to);
        }
        return NOTHING;
    }

    private void control(int type, boolean end, byte[] bytes, MuxContractClient.Sink to) {
        ByteBuffer payload = ByteBuffer.wrap(bytes);
        int id = payload.getInt();
        switch (type) {
            case SpdyFrame.SYN_REPLY, SpdyFrame.HEADERS -> {
                Headers fields = heard.fields(bytes, SpdyFrame.STREAM_ID);
                to.fields(id, type == SpdyFrame.SYN_REPLY ? SpdyHeard.status(fields) : 0, fields, end);
            }
            case SpdyFrame.RST_STREAM -> to.reset(id);
            case SpdyFrame.SETTINGS -> settings(payload, to);
            case SpdyFrame.WINDOW_UPDATE -> to.credit(id, payload.getInt());
            case SpdyFrame.GOAWAY, SpdyFrame.PING -> {}
            default -> throw new AssertionError("a frame of type " + type);
        }
    }

    private static void settings(ByteBuffer payload, MuxContractClient.Sink to) {
        while (payload.hasRemaining()) {
            int id = payload.getInt();
            int value = payload.getInt();
            if (id == SpdyFrame.INITIAL_WINDOW_SIZE) {
                to.initialWindow(value);
            }
        }
    }
}
