package io.millrace.testkit;

import io.millrace.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * An AJP 1.3 client over any link, like a front end: sends requests, sends bodies as they are requested, reads
 * responses, and checks that they are well-formed. Requests are sent together as far as AJP allows: not after one whose
 * body has not been requested completely.
 */
public final class AjpContractClient implements ContractClient {

    private static final int OVERHEAD = 6;

    private final ContractLink link;
    private final String secret;
    private final int packetSize;
    private final Deque<ContractRequest> unsent = new ArrayDeque<>();
    private final Deque<ContractRequest> unanswered = new ArrayDeque<>();
    private boolean bodyWillBeAsked;
    private int bodySent;
    private byte[] buffer = {};
    private int at;

    /**
     * A client on a new connection.
     *
     * @param secret sent with each request; empty for none
     */
    public AjpContractClient(ContractLink link, String secret, int packetSize) {
        this.link = link;
        this.secret = secret;
        this.packetSize = packetSize;
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
        unsent.addAll(requests);
        sendWhatMayBe();
    }

    @Override
    public byte[] beginOfRequest() {
        return new byte[] {0x12, 0x34, 0};
    }

    @Override
    public void sendBody(ContractRequest request) {
        throw new AssertionError("a body is sent when the server requests it");
    }

    @Override
    public int receiveInterim() {
        throw new AssertionError("there are no interim responses");
    }

    @Override
    public ContractResponse receive() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        Headers headers = new Headers();
        int status = 0;
        try {
            for (Packet packet = next(); packet.type != 5; packet = next()) {
                switch (packet.type) {
                    case 4 -> status = readHead(packet, headers, status);
                    case 3 -> packet.chunkTo(body, status);
                    case 6 -> sendBodyChunk(packet.number());
                    default -> throw new AssertionError("a packet of type " + packet.type);
                }
            }
        } catch (EOFException cutOff) {
            return new ContractResponse(List.of(), status, headers, body.toByteArray(), false);
        }
        unanswered.remove();
        bodyWillBeAsked &= !unanswered.isEmpty();
        sendWhatMayBe();
        return new ContractResponse(List.of(), status, headers, body.toByteArray(), true);
    }

    @Override
    public boolean awaitEnd() throws IOException {
        return at == buffer.length && link.receive().length == 0;
    }

    private void sendWhatMayBe() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (!bodyWillBeAsked && !unsent.isEmpty()) {
            ContractRequest request = unsent.remove();
            unanswered.add(request);
            byte[] body = request.body();
            bodySent = 0;
            out.writeBytes(head(request));
            if (request.lengthKnown() && body.length > 0 && !request.expectContinue()) {
                bodySent = Math.min(body.length, packetSize - OVERHEAD);
                out.writeBytes(AjpPacket.body(body, 0, bodySent));
            }
            bodyWillBeAsked = !request.lengthKnown() || bodySent < body.length;
        }
        if (out.size() > 0) {
            link.send(out.toByteArray());
        }
    }

    private byte[] head(ContractRequest request) {
        Headers headers = request.headers().copy().add("host", "contract");
        if (!request.lengthKnown()) {
            headers.add("transfer-encoding", "chunked");
        } else if (request.body().length > 0 || request.method().equals("POST")) {
            headers.add("content-length", Integer.toString(request.body().length));
        }
        String[] target = request.target().split("\\?", 2);
        int method = List.of("OPTIONS", "GET", "HEAD", "POST").indexOf(request.method()) + 1;
        AjpPacket packet = AjpPacket.request(method == 0 ? 0xff : method, "HTTP/1.1", target[0], headers);
        if (method == 0) {
            packet.attribute(0x0d, request.method());
        }
        if (target.length > 1) {
            packet.attribute(0x05, target[1]);
        }
        if (!secret.isEmpty()) {
            packet.attribute(0x0c, secret);
        }
        return packet.end();
    }

    private void sendBodyChunk(int most) throws IOException {
        byte[] body = unanswered.element().body();
        int to = Math.min(body.length, bodySent + Math.min(most, packetSize - OVERHEAD));
        link.send(AjpPacket.body(body, bodySent, to));
        bodySent = to;
    }

    private static int readHead(Packet packet, Headers headers, int before) {
        if (before != 0) {
            throw new AssertionError("a second head");
        }
        int status = packet.number();
        packet.text(packet.number());
        int count = packet.number();
        for (int i = 0; i < count; i++) {
            int name = packet.number();
            headers.add(
                    (name & 0xff00) == 0xa000 ? coded(name & 0xff) : packet.text(name), packet.text(packet.number()));
        }
        packet.checkEnd();
        return status;
    }

    private static String coded(int code) {
        return List.of(
                        "Content-Type",
                        "Content-Language",
                        "Content-Length",
                        "Date",
                        "Last-Modified",
                        "Location",
                        "Set-Cookie",
                        "Set-Cookie2",
                        "Servlet-Engine",
                        "Status",
                        "WWW-Authenticate")
                .get(code - 1);
    }

    private Packet next() throws IOException {
        if (octet() != 'A' || octet() != 'B') {
            throw new AssertionError("a packet does not begin with AB");
        }
        int length = octet() << 8 | octet();
        if (length + 4 > packetSize) {
            throw new AssertionError("a packet longer than " + packetSize + ": " + (length + 4));
        }
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) octet();
        }
        return new Packet(payload);
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

    /** A packet from the server. */
    private static final class Packet {
        final int type;
        private final byte[] payload;
        private int at;

        Packet(byte[] payload) {
            this.payload = payload;
            type = payload[at++];
        }

        int number() {
            at += 2;
            return (payload[at - 2] & 0xff) << 8 | payload[at - 1] & 0xff;
        }

        String text(int length) {
            at += length + 1;
            if (payload[at - 1] != 0) {
                throw new AssertionError("a string without its end");
            }
            return new String(payload, at - 1 - length, length, StandardCharsets.ISO_8859_1);
        }

        void chunkTo(ByteArrayOutputStream body, int status) {
            if (status == 0) {
                throw new AssertionError("a body before its head");
            }
            int size = number();
            body.write(payload, at, size);
            at += size;
            if (payload[at++] != 0) {
                throw new AssertionError("data without their end");
            }
            checkEnd();
        }

        void checkEnd() {
            if (at != payload.length) {
                throw new AssertionError((payload.length - at) + " octets are left over");
            }
        }
    }
}
