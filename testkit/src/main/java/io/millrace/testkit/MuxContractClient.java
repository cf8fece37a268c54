package io.millrace.testkit;

import io.millrace.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A client of a multiplexed protocol over any link: each request is a stream, bodies are sent as the flow-control
 * windows allow, and frames from the server must be well-formed. {@link Wire} has the protocol's frames.
 */
public final class MuxContractClient implements ContractClient {

    /** A window that is large enough for every response. */
    public static final int WIDE = 1 << 30;

    private static final int FRAME = 16_384;

    /** Encodes and decodes a protocol's frames; keeps the state of header compression. */
    public interface Wire {

        /** What a connection begins with: windows of {@link #WIDE} for responses. */
        byte[] begin();

        /** A request's head. */
        byte[] request(int id, String method, String target, List<String> fields, boolean end);

        /** A piece of its body. */
        byte[] data(int id, byte[] part, boolean end);

        /** The fields behind it. */
        byte[] trailers(int id, List<String> fields);

        /**
         * Reads one frame of the server.
         *
         * @return what the client answers with at once; often nothing
         */
        byte[] read(Octets from, Sink to) throws IOException;
    }

    /** Reads the server's output. */
    public interface Octets {

        /** The next so many; waits for them. */
        byte[] next(int length) throws IOException;
    }

    /** Receives decoded frames. */
    public interface Sink {

        /** A response's head, interim or not, or with the status 0 the fields after its body. */
        void fields(int id, int status, Headers fields, boolean end);

        /** A piece of its body. */
        void data(int id, byte[] part, boolean end);

        /** The stream is reset. */
        void reset(int id);

        /** A window is opened; with 0 that of the connection. */
        void credit(int id, int bytes);

        /** What streams may be sent at first. */
        void initialWindow(int bytes);
    }

    private final ContractLink link;
    private final Wire wire;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<Integer, Exchange> exchanges = new TreeMap<>();
    private final Deque<Exchange> unanswered = new ArrayDeque<>();
    private final Sink sink = new Responses();
    private int nextId = 1;
    private long window;
    private int initialWindow;
    private boolean ended;
    private boolean finished;
    private byte[] buffer = {};
    private int at;

    /** A request and the response so far. */
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

    /**
     * Opens the connection.
     *
     * @param initialWindow the initial window of streams before the server's settings have arrived
     * @param connectionWindow the initial window of the connection; {@code Long.MAX_VALUE} if the protocol has none
     */
    public MuxContractClient(ContractLink link, Wire wire, int initialWindow, long connectionWindow)
            throws IOException {
        this.link = link;
        this.wire = wire;
        this.initialWindow = initialWindow;
        window = connectionWindow;
        out.writeBytes(wire.begin());
        flush();
    }

    @Override
    public ContractLink link() {
        return link;
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
    public byte[] beginOfRequest() {
        return new byte[] {0, 0};
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
        List<String> fields = pairs(request.headers());
        boolean post = request.method().equals("POST");
        if (request.lengthKnown() && (request.body().length > 0 || post)) {
            fields.addAll(List.of("content-length", Integer.toString(request.body().length)));
        }
        if (request.expectContinue()) {
            fields.addAll(List.of("expect", "100-continue"));
        }
        boolean end = !post && request.body().length == 0;
        exchange.sentAll = end;
        out.writeBytes(wire.request(exchange.id, request.method(), request.target(), fields, end));
    }

    /** Names in lower case and values, alternately. */
    private static List<String> pairs(Headers headers) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < headers.size(); i++) {
            pairs.add(headers.name(i).toLowerCase(Locale.ROOT));
            pairs.add(headers.value(i));
        }
        return pairs;
    }

    /** Sends as much of the body as the windows allow. */
    private void body(Exchange exchange) {
        byte[] body = exchange.request.body();
        Headers trailers = exchange.request.trailers();
        while (!exchange.sentAll && !exchange.waits && !exchange.over) {
            int length =
                    (int) Math.min(Math.min(body.length - exchange.sent, FRAME), Math.min(window, exchange.window));
            boolean last = exchange.sent + length == body.length;
            if (length <= 0 && !last) {
                return;
            }
            boolean trailed = trailers.size() > 0;
            byte[] part = Arrays.copyOfRange(body, exchange.sent, exchange.sent + Math.max(0, length));
            out.writeBytes(wire.data(exchange.id, part, last && !trailed));
            exchange.sent += part.length;
            exchange.window -= part.length;
            window -= part.length;
            exchange.sentAll = last;
            if (last && trailed) {
                out.writeBytes(wire.trailers(exchange.id, pairs(trailers)));
            }
        }
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
    public void finish() throws IOException {
        finished = true;
        link.finish();
    }

    /** Frames before the end are ignored: GOAWAY, and those of streams that no longer matter. */
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

    private void frame() throws IOException {
        out.writeBytes(wire.read(this::next, sink));
        flush();
    }

    private byte[] next(int length) throws IOException {
        byte[] bytes = new byte[length];
        int count = 0;
        while (count < length) {
            if (at == buffer.length) {
                buffer = link.receive();
                at = 0;
                if (buffer.length == 0) {
                    throw new EOFException("the server ended the connection");
                }
            }
            int part = Math.min(length - count, buffer.length - at);
            System.arraycopy(buffer, at, bytes, count, part);
            at += part;
            count += part;
        }
        return bytes;
    }

    /** Ignores frames of streams that have ended. */
    private final class Responses implements Sink {

        private void on(int id, Consumer<Exchange> action) {
            Exchange exchange = exchanges.get(id);
            if (exchange != null) {
                action.accept(exchange);
            }
        }

        @Override
        public void fields(int id, int status, Headers fields, boolean end) {
            on(id, exchange -> {
                if (status == 0) {
                    require(exchange.status != 0, "trailers before a head");
                } else if (status < 200) {
                    exchange.interim.add(status);
                    exchange.waits &= status != 100;
                } else {
                    require(exchange.status == 0, "a second head");
                    exchange.status = status;
                    for (int i = 0; i < fields.size(); i++) {
                        exchange.headers.add(fields.name(i), fields.value(i));
                    }
                }
                exchange.over |= end;
            });
        }

        @Override
        public void data(int id, byte[] part, boolean end) {
            require(part.length <= FRAME, "a frame of " + part.length + " octets");
            on(id, exchange -> {
                exchange.body.writeBytes(part);
                exchange.over |= end;
            });
        }

        @Override
        public void reset(int id) {
            on(id, exchange -> {
                exchange.reset = !exchange.over;
                exchange.over = true;
            });
        }

        @Override
        public void credit(int id, int bytes) {
            if (id == 0) {
                window += bytes;
            }
            on(id, exchange -> exchange.window += bytes);
            sendMore();
        }

        @Override
        public void initialWindow(int bytes) {
            int more = bytes - initialWindow;
            exchanges.values().forEach(each -> each.window += more);
            initialWindow = bytes;
            sendMore();
        }

        private void sendMore() {
            exchanges.values().forEach(MuxContractClient.this::body);
        }

        private static void require(boolean right, String otherwise) {
            if (!right) {
                throw new AssertionError(otherwise);
            }
        }
    }
}
