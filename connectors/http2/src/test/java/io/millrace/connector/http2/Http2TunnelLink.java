package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.connector.http2.hpack.HpackException;
import io.millrace.testkit.ContractLink;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A tunnel on a stream of HTTP/2 (RFC 8441). The head of an HTTP/1.1 upgrade, which is sent first, is converted to an extended
 * CONNECT, as a browser does, and the response to one of HTTP/1.1. All that follows is DATA.
 */
final class Http2TunnelLink implements ContractLink {

    private static final int UNBOUNDED = 1 << 30;
    private static final int ID = 1;

    private final ContractLink link;
    private final HpackDecoder decoder = new HpackDecoder(new FieldTexts());
    private boolean asked;
    private boolean allowed;
    private boolean over;
    private long window = 65_535;
    private long streamWindow = 65_535;
    private byte[] buffer = {};
    private int at;

    /** Input that was not received yet. */
    private byte[] ready = {};

    /** A tunnel over a new connection. */
    Http2TunnelLink(ContractLink link) throws IOException {
        this.link = link;
        link.send(Wire.begun().toArray());
    }

    @Override
    public void send(byte[] bytes) throws IOException {
        if (!asked) {
            asked = true;
            ask(new String(bytes, StandardCharsets.ISO_8859_1));
            return;
        }
        int from = 0;
        while (from < bytes.length && !over) {
            int length =
                    (int) Math.min(Math.min(bytes.length - from, Frames.MAX_PAYLOAD), Math.min(window, streamWindow));
            if (length > 0) {
                link.send(new Wire()
                        .frame(Frames.DATA, 0, ID, Arrays.copyOfRange(bytes, from, from + length))
                        .toArray());
                from += length;
                window -= length;
                streamWindow -= length;
            } else {
                frame();
            }
        }
    }

    private void ask(String head) throws IOException {
        while (!allowed) {
            frame();
        }
        String[] lines = head.split("\r\n", -1);
        String path = lines[0].split(" ", -1)[1];
        List<String> fields = new ArrayList<>(List.of(
                ":method", "CONNECT", ":protocol", "websocket", ":scheme", "http", ":authority", "contract", ":path"));
        fields.add(path);
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            String[] field = line.split(": ", 2);
            String name = field[0].toLowerCase(Locale.ROOT);
            if (!List.of("", "host", "upgrade", "connection", "sec-websocket-key")
                    .contains(name)) {
                fields.add(name);
                fields.add(field[1]);
            }
        }
        link.send(new Wire().request(ID, false, fields.toArray(String[]::new)).toArray());
    }

    @Override
    public byte[] receive() throws IOException {
        while (ready.length == 0 && !over) {
            frame();
        }
        byte[] received = ready;
        ready = new byte[0];
        return received;
    }

    private void frame() throws IOException {
        ByteBuffer head;
        byte[] payload;
        int flags;
        int lengthAndType;
        try {
            head = ByteBuffer.wrap(read(Frames.HEAD));
            lengthAndType = head.getInt();
            flags = head.get();
            payload = read(lengthAndType >>> 8);
        } catch (EOFException ended) {
            over = true;
            return;
        }
        int id = head.getInt();
        ByteBuffer says = ByteBuffer.wrap(payload);
        switch (lengthAndType & 0xff) {
            case Frames.HEADERS -> give(answer(payload).getBytes(StandardCharsets.ISO_8859_1));
            case Frames.DATA -> data(payload);
            case Frames.SETTINGS -> settings(flags, says);
            case Frames.WINDOW_UPDATE -> {
                if (id == 0) {
                    window += says.getInt();
                } else {
                    streamWindow += says.getInt();
                }
            }
            case Frames.RST_STREAM -> over = true;
            case Frames.PING -> {
                if ((flags & Frames.ACK) == 0) {
                    answer(new Wire().frame(Frames.PING, Frames.ACK, 0, payload));
                }
            }
            case Frames.GOAWAY -> {}
            default -> throw new AssertionError("a frame of type " + (lengthAndType & 0xff));
        }
        over |= (lengthAndType & 0xff) <= Frames.HEADERS && (flags & Frames.END_STREAM) != 0;
    }

    private void data(byte[] payload) {
        give(payload);
        if (payload.length > 0) {
            byte[] bytes = ByteBuffer.allocate(4).putInt(payload.length).array();
            answer(new Wire().frame(Frames.WINDOW_UPDATE, 0, 0, bytes).frame(Frames.WINDOW_UPDATE, 0, ID, bytes));
        }
    }

    private void settings(int flags, ByteBuffer payload) {
        if ((flags & Frames.ACK) != 0) {
            return;
        }
        while (payload.hasRemaining()) {
            int setting = payload.getShort();
            int value = payload.getInt();
            allowed |= setting == SettingsFrame.ENABLE_CONNECT_PROTOCOL && value == 1;
        }
        answer(new Wire().frame(Frames.SETTINGS, Frames.ACK, 0));
    }

    /** A server that has closed the connection accepts no responses. */
    private void answer(Wire frames) {
        try {
            link.send(frames.toArray());
        } catch (IOException closed) {
            over |= ready.length == 0;
        }
    }

    private void give(byte[] more) {
        byte[] all = Arrays.copyOf(ready, ready.length + more.length);
        System.arraycopy(more, 0, all, ready.length, more.length);
        ready = all;
    }

    /** The head in the form of HTTP/1.1. */
    private String answer(byte[] block) throws HpackException {
        StringBuilder head = new StringBuilder();
        decoder.decode(block, 0, block.length, UNBOUNDED, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                if (name.equals(":status")) {
                    head.insert(0, "HTTP/1.1 " + (value.equals("200") ? "101" : value) + " \r\n");
                } else {
                    String[] words = name.split("-", -1);
                    for (int i = 0; i < words.length; i++) {
                        words[i] = words[i].equals("websocket")
                                ? "WebSocket"
                                : words[i].substring(0, 1).toUpperCase(Locale.ROOT) + words[i].substring(1);
                    }
                    head.append(String.join("-", words))
                            .append(": ")
                            .append(value)
                            .append("\r\n");
                }
                return true;
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        return head.append("\r\n").toString();
    }

    private byte[] read(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            if (at == buffer.length) {
                buffer = link.receive();
                at = 0;
                if (buffer.length == 0) {
                    throw new EOFException();
                }
            }
            bytes[i] = buffer[at++];
        }
        return bytes;
    }

    @Override
    public void pause() {
        link.pause();
    }

    @Override
    public void finish() throws IOException {
        link.send(new Wire().frame(Frames.DATA, Frames.END_STREAM, ID).toArray());
    }

    @Override
    public void breakOff() throws IOException {
        link.breakOff();
    }

    @Override
    public void checkNothingHeld() throws Exception {
        link.checkNothingHeld();
    }
}
