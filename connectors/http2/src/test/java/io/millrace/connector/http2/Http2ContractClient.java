package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.connector.http2.hpack.HpackException;
import io.millrace.http.Headers;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.ContractResponse;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Speaks HTTP/2 over any link: each request is a stream, bodies are sent as the windows allow, and what the server sends has to
 * be well-formed. Windows for responses are opened again as they come.
 */
final class Http2ContractClient implements ContractClient {

    private static final int WINDOW = 65_535;
    private static final int WIDE = 1 << 30;

    private final ContractLink link;
    private final HpackDecoder decoder = new HpackDecoder(new FieldTexts());
    private final Map<Integer, Exchange> exchanges = new TreeMap<>();
    private final Deque<Exchange> unanswered = new ArrayDeque<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int nextId = 1;
    private long window = WINDOW;
    private int initialWindow = WINDOW;
    private boolean ended;
    private boolean finished;
    private byte[] buffer = {};
    private int at;

    /** A request, and what has come of its response. */
    private static final class Exchange {
        final int id;
        final ContractRequest request;
        final List<Integer> interim = new ArrayList<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        final Headers headers = new Headers();
        long window;
        int status;
        int sent;
        boolean waits;
        boolean sentAll;
        boolean over;
        boolean reset;

        Exchange(int id, ContractRequest request, long window) {
            this.id = id;
            this.request = request;
            this.window = window;
        }
    }

    /** Begins the connection, with a window that lets every response come at once. */
    Http2ContractClient(ContractLink link) throws IOException {
        this.link = link;
        out.writeBytes(new Wire()
                .octets(Http2Reader.PREFACE)
                .frame(Frames.SETTINGS, 0, 0, setting(Settings.INITIAL_WINDOW_SIZE, WIDE))
                .frame(Frames.WINDOW_UPDATE, 0, 0, number(WIDE))
                .toArray());
        flush();
    }

    private static byte[] setting(int id, int value) {
        return ByteBuffer.allocate(Settings.SIZE)
                .putShort((short) id)
                .putInt(value)
                .array();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    @Override
    public void send(ContractRequest request) throws IOException {
        sendAll(List.of(request));
    }

    @Override
    public void sendAll(List<ContractRequest> requests) throws IOException {
        for (ContractRequest request : requests) {
            Exchange exchange = new Exchange(nextId, request, initialWindow);
            nextId += 2;
            exchanges.put(exchange.id, exchange);
            unanswered.add(exchange);
            head(exchange);
            exchange.waits = request.expectContinue();
            body(exchange);
        }
        flush();
    }

    @Override
    public void sendBody(ContractRequest request) throws IOException {
        Exchange last = exchanges.get(nextId - 2);
        if (last == null || last.sentAll) {
            throw new AssertionError("not the last request");
        }
        last.waits = false;
        body(last);
        flush();
    }

    private void head(Exchange exchange) {
        ContractRequest request = exchange.request;
        List<String> fields = new ArrayList<>(List.of(
                ":method", request.method(), ":scheme", "http", ":authority", "contract", ":path", request.target()));
        for (int i = 0; i < request.headers().size(); i++) {
            fields.add(request.headers().name(i).toLowerCase(Locale.ROOT));
            fields.add(request.headers().value(i));
        }
        boolean post = request.method().equals("POST");
        if (request.lengthKnown() && (request.body().length > 0 || post)) {
            fields.addAll(List.of("content-length", Integer.toString(request.body().length)));
        }
        if (request.expectContinue()) {
            fields.addAll(List.of("expect", "100-continue"));
        }
        boolean end = !post && request.body().length == 0;
        exchange.sentAll = end;
        out.writeBytes(new Wire()
                .request(exchange.id, end, fields.toArray(String[]::new))
                .toArray());
    }

    /** As much as the windows allow. */
    private void body(Exchange exchange) {
        byte[] body = exchange.request.body();
        while (!exchange.sentAll && !exchange.waits && !exchange.over) {
            int length = (int) Math.min(
                    Math.min(body.length - exchange.sent, Frames.MAX_PAYLOAD), Math.min(window, exchange.window));
            boolean last = exchange.sent + length == body.length;
            if (length <= 0 && !last) {
                return;
            }
            boolean trailed = exchange.request.trailers().size() > 0;
            int flags = last && !trailed ? Frames.END_STREAM : 0;
            byte[] part = Arrays.copyOfRange(body, exchange.sent, exchange.sent + Math.max(0, length));
            out.writeBytes(
                    new Wire().frame(Frames.DATA, flags, exchange.id, part).toArray());
            exchange.sent += part.length;
            exchange.window -= part.length;
            window -= part.length;
            if (last) {
                exchange.sentAll = true;
                trailers(exchange);
            }
        }
    }

    private void trailers(Exchange exchange) {
        Headers trailers = exchange.request.trailers();
        if (trailers.size() == 0) {
            return;
        }
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < trailers.size(); i++) {
            fields.add(trailers.name(i).toLowerCase(Locale.ROOT));
            fields.add(trailers.value(i));
        }
        out.writeBytes(new Wire()
                .request(exchange.id, true, fields.toArray(String[]::new))
                .toArray());
    }

    private void flush() throws IOException {
        if (out.size() > 0 && !finished) {
            link.send(out.toByteArray());
        }
        out.reset();
    }

    @Override
    public ContractResponse receive() throws IOException {
        Exchange oldest = unanswered.remove();
        boolean complete = true;
        try {
            while (!oldest.over) {
                frame();
            }
        } catch (EOFException cutOff) {
            complete = false;
        }
        exchanges.remove(oldest.id);
        return new ContractResponse(
                oldest.interim, oldest.status, oldest.headers, oldest.body.toByteArray(), complete && !oldest.reset);
    }

    @Override
    public int receiveInterim() throws IOException {
        Exchange oldest = unanswered.element();
        while (oldest.interim.isEmpty()) {
            frame();
        }
        return oldest.interim.get(oldest.interim.size() - 1);
    }

    @Override
    public void pause() {
        link.pause();
    }

    @Override
    public void finish() throws IOException {
        finished = true;
        link.finish();
    }

    @Override
    public void breakOff() throws IOException {
        link.breakOff();
    }

    /** GOAWAY may come before it, and what belongs to streams that nobody asks for any more. */
    @Override
    public boolean awaitEnd() throws IOException {
        try {
            while (!ended) {
                frame();
            }
        } catch (EOFException expected) {
            ended = true;
        }
        return true;
    }

    @Override
    public void checkNothingHeld() throws Exception {
        link.checkNothingHeld();
    }

    // ---- frames

    private void frame() throws IOException {
        int length = octet() << 16 | octet() << 8 | octet();
        int type = octet();
        int flags = octet();
        int id = (octet() << 24 | octet() << 16 | octet() << 8 | octet()) & 0x7fff_ffff;
        if (length > Frames.MAX_PAYLOAD) {
            throw new AssertionError("a frame of " + length + " octets");
        }
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) octet();
        }
        Exchange exchange = exchanges.get(id);
        boolean end = (flags & Frames.END_STREAM) != 0;
        switch (type) {
            case Frames.HEADERS -> fields(exchange, flags, payload);
            case Frames.DATA -> {
                if (exchange != null) {
                    exchange.body.writeBytes(payload);
                    exchange.over |= end;
                }
            }
            case Frames.RST_STREAM -> {
                if (exchange != null) {
                    exchange.reset = !exchange.over;
                    exchange.over = true;
                }
            }
            case Frames.SETTINGS -> settings(flags, ByteBuffer.wrap(payload));
            case Frames.WINDOW_UPDATE ->
                credit(exchange, id, ByteBuffer.wrap(payload).getInt());
            case Frames.GOAWAY, Frames.PING -> {}
            default -> throw new AssertionError("a frame of type " + type);
        }
        flush();
    }

    private void fields(@Nullable Exchange exchange, int flags, byte[] block) throws HpackException {
        if ((flags & Frames.END_HEADERS) == 0) {
            throw new AssertionError("a header block in several frames");
        }
        Headers fields = new Headers();
        decoder.decode(block, 0, block.length, WIDE, new HpackDecoder.Fields() {
            @Override
            public void field(String name, String value) {
                fields.add(name, value);
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        if (exchange == null) {
            return;
        }
        String status = fields.get(":status");
        if (status == null) {
            if (exchange.status == 0) {
                throw new AssertionError("trailers before a head");
            }
        } else if (status.startsWith("1")) {
            exchange.interim.add(Integer.valueOf(status));
            exchange.waits &= !status.equals("100");
        } else if (exchange.status != 0) {
            throw new AssertionError("a second head");
        } else {
            exchange.status = Integer.parseInt(status);
            for (int i = 0; i < fields.size(); i++) {
                exchange.headers.add(fields.name(i), fields.value(i));
            }
        }
        exchange.over |= (flags & Frames.END_STREAM) != 0;
    }

    private void settings(int flags, ByteBuffer payload) {
        if ((flags & Frames.ACK) != 0) {
            return;
        }
        while (payload.hasRemaining()) {
            int id = payload.getShort();
            int value = payload.getInt();
            if (id == Settings.INITIAL_WINDOW_SIZE) {
                int more = value - initialWindow;
                exchanges.values().forEach(each -> each.window += more);
                initialWindow = value;
            }
        }
        out.writeBytes(new Wire().frame(Frames.SETTINGS, Frames.ACK, 0).toArray());
        exchanges.values().forEach(this::body);
    }

    private void credit(@Nullable Exchange exchange, int id, int more) {
        if (id == 0) {
            window += more;
        } else if (exchange != null) {
            exchange.window += more;
        }
        exchanges.values().forEach(this::body);
    }

    private int octet() throws IOException {
        if (at == buffer.length) {
            buffer = link.receive();
            at = 0;
            if (buffer.length == 0) {
                throw new EOFException("the server ended the connection");
            }
        }
        return buffer[at++] & 0xff;
    }
}
