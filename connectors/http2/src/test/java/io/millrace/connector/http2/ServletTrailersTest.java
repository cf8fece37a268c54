package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http.Headers;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.ContractResponse;
import io.millrace.testkit.MuxContractClient;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Trailer fields of servlets (Servlet 4.0) and interim responses, on streams. */
@ParameterizedClass
@MethodSource("transports")
final class ServletTrailersTest {

    private static final byte[] BODY = "0123456789".repeat(5000).getBytes(StandardCharsets.US_ASCII);

    private final Server server;
    private final RawClient socket;
    private final Heard heard = new Heard();
    private final ContractClient client;

    ServletTrailersTest(String transport) throws IOException {
        server = Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .port(0)
                        .protocols(List.of(
                                new Http2Protocol(Settings.DEFAULTS, "http"),
                                new Http1Protocol(Settings.DEFAULTS, "http")))
                        .build())
                .application(WebApplication.builder("")
                        .servlet("trailers", new Trailers(), "/trailers")
                        .build())
                .failFast(true)
                .start();
        socket = RawClient.connect(server.port());
        client = new MuxContractClient(new SocketLink(socket, new BufferPool(1 << 20)), heard, 65_535, 65_535);
    }

    static List<String> transports() {
        return Transports.installed();
    }

    @AfterEach
    void stop() throws IOException {
        socket.close();
        server.close();
    }

    @Test
    void areThereOnceTheBodyIsReadAndFollowTheResponse() throws Exception {
        client.send(
                ContractRequest.of("POST", "/trailers").withBody(BODY, false).withTrailer("X-Sum", "17"));
        ContractResponse response = client.receive();
        assertEquals(BODY.length + " {x-sum=17}", response.text());
        assertTrue(response.complete());
        assertEquals("50000", heard.trailers.get("x-length"));
    }

    /** Unlike in HTTP/1.1. */
    @Test
    void mayFollowABodyOfKnownLength() throws Exception {
        client.send(ContractRequest.of("POST", "/trailers").withBody(BODY, true).withTrailer("X-Sum", "17"));
        assertEquals(BODY.length + " {x-sum=17}", client.receive().text());
    }

    @Test
    void areNoneWhereTheClientSendsNone() throws Exception {
        client.send(ContractRequest.of("POST", "/trailers").withBody(BODY, true));
        assertEquals(BODY.length + " {}", client.receive().text());
    }

    @Test
    void asksForABodyThatTheClientHoldsBack() throws Exception {
        ContractRequest request =
                ContractRequest.of("POST", "/trailers").withBody(BODY, true).expectingContinue();
        client.send(request);
        assertEquals(100, client.receiveInterim());
        client.sendBody(request);
        ContractResponse response = client.receive();
        assertEquals(List.of(100), response.interim());
        assertEquals(BODY.length + " {}", response.text());
    }

    /** Reads the body, and responds with the trailers. */
    private static final class Trailers extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            assertFalse(request.isTrailerFieldsReady());
            assertThrows(IllegalStateException.class, request::getTrailerFields);
            int[] length = {0};
            response.setTrailerFields(() -> Map.of("X-Length", Integer.toString(length[0])));
            length[0] = request.getInputStream().readAllBytes().length;
            assertTrue(request.isTrailerFieldsReady());
            response.getWriter().print(length[0] + " " + request.getTrailerFields());
        }
    }

    /** Records the trailers. */
    private static final class Heard implements MuxContractClient.Wire {

        private final Http2ContractWire wire = new Http2ContractWire();
        final Headers trailers = new Headers();

        @Override
        public byte[] begin() {
            return wire.begin();
        }

        @Override
        public byte[] request(int id, String method, String target, List<String> fields, boolean end) {
            return wire.request(id, method, target, fields, end);
        }

        @Override
        public byte[] data(int id, byte[] part, boolean end) {
            return wire.data(id, part, end);
        }

        @Override
        public byte[] trailers(int id, List<String> fields) {
            return wire.trailers(id, fields);
        }

        @Override
        public byte[] read(MuxContractClient.Octets from, MuxContractClient.Sink to) throws IOException {
            return wire.read(from, new MuxContractClient.Sink() {
                @Override
                public void fields(int id, int status, Headers fields, boolean end) {
                    for (int i = 0; status == 0 && i < fields.size(); i++) {
                        trailers.add(fields.name(i), fields.value(i));
                    }
                    to.fields(id, status, fields, end);
                }

                @Override
                public void data(int id, byte[] part, boolean end) {
                    to.data(id, part, end);
                }

                @Override
                public void reset(int id) {
                    to.reset(id);
                }

                @Override
                public void credit(int id, int bytes) {
                    to.credit(id, bytes);
                }

                @Override
                public void initialWindow(int bytes) {
                    to.initialWindow(bytes);
                }
            });
        }
    }
}
