package io.millrace.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of {@link PlainFrames}. */
final class PlainMuxClient implements MuxClient {

    private final RawClient client;

    PlainMuxClient(RawClient client) {
        this.client = client;
    }

    private synchronized void send(char kind, boolean end, int id, byte... payload) throws IOException {
        client.send(PlainFrames.frame(kind, end, id, payload));
    }

    @Override
    public void request(int id, String method, String path, boolean end) throws IOException {
        send('H', end, id, (method + ' ' + path).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void data(int id, int length, boolean end) throws IOException {
        send('D', end, id, new byte[length]);
    }

    @Override
    public void credit(int id, int bytes) throws IOException {
        send('W', false, id, PlainFrames.number(bytes));
    }

    @Override
    public void initialWindow(int bytes) throws IOException {
        send('S', false, 0, PlainFrames.number(bytes));
    }

    @Override
    public void reset(int id) throws IOException {
        send('R', false, id);
    }

    @Override
    public Event next() throws IOException {
        ByteBuffer head;
        try {
            head = ByteBuffer.wrap(client.read(PlainFrames.HEAD));
        } catch (EOFException ended) {
            return new Event(Kind.END, 0, 0, true);
        }
        char kind = (char) head.get();
        boolean end = head.get() == 1;
        int id = head.getInt();
        int length = head.getInt();
        byte[] payload = client.read(length);
        return switch (kind) {
            case 'H' ->
                new Event(Kind.HEAD, id, Integer.parseInt(new String(payload, 0, 3, StandardCharsets.US_ASCII)), end);
            case 'D' -> new Event(Kind.DATA, id, length, end);
            case 'T' -> new Event(Kind.TRAILERS, id, 0, true);
            case 'R' -> new Event(Kind.RESET, id, 0, true);
            case 'W' -> new Event(Kind.CREDIT, id, ByteBuffer.wrap(payload).getInt(), false);
            case 'G' -> new Event(Kind.GO_AWAY, 0, id, false);
            case 'P' -> {
                send('Q', false, 0, payload);
                yield new Event(Kind.OTHER, 0, 0, false);
            }
            default -> new Event(Kind.OTHER, id, 0, end);
        };
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
