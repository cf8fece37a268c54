package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http.Headers;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.servlet.Filter;
import javax.servlet.MultipartConfigElement;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An upload by AJP … */
@NeedsConnector("ajp")
final class UploadOverAjpTest {

    private static final int POST = 4;
    private static final int SEND_HEADERS = 4;
    private static final int GET_BODY_CHUNK = 6;
    private static final int PIECE = 8000;
    private static final int FAR_BEYOND = 20 << 20;

    private static final byte[] START =
            "--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void isNotKeptForAFilterThatRefusesIt(String transport) throws Exception {
        try (Server server = Server.builder()
                        .connector(Connector.builder()
                                .transport(transport)
                                .port(0)
                                .protocol(Connectors.protocol("ajp")
                                        .create("http", Connectors.with("ajp", Settings.DEFAULTS, "secret", "s")))
                                .build())
                        .application(behindAGuard())
                        .start();
                RawClient frontEnd = RawClient.connect(server.port())) {
            Headers headers = new Headers().add("Content-Type", "multipart/form-data; boundary=b");
            frontEnd.send(AjpPacket.request(POST, "HTTP/1.1", "/upload", headers)
                    .attribute(0x0c, "s")
                    .end());
            byte[] piece = new byte[PIECE];
            System.arraycopy(START, 0, piece, 0, START.length);
            int sent = 0;
            frontEnd.send(AjpPacket.body(piece, 0, PIECE));
            byte[] answer = packet(frontEnd);
            while (answer[0] == GET_BODY_CHUNK && sent < FAR_BEYOND) {
                frontEnd.send(AjpPacket.body(piece, 0, PIECE));
                sent += PIECE;
                answer = packet(frontEnd);
            }
            assertTrue(sent < FAR_BEYOND, "sent " + sent);
            assertEquals(SEND_HEADERS, answer[0]);
            assertEquals(401, (answer[1] & 0xff) << 8 | answer[2] & 0xff);
            assertEquals(0, filesLeft());
        }
    }

    private Application behindAGuard() {
        return WebApplication.builder("")
                .filter(
                        "guard",
                        (Filter) (request, response, chain) -> {
                            assertEquals(0, filesLeft());
                            ((HttpServletResponse) response).sendError(HttpServletResponse.SC_UNAUTHORIZED);
                        },
                        "/*")
                .servlet("upload", new Upload(), registration -> {
                    registration.addMapping("/upload");
                    registration.setMultipartConfig(new MultipartConfigElement(directory.toString()));
                })
                .build();
    }

    /** Nobody comes so far. */
    private static final class Upload extends HttpServlet {

        private static final long serialVersionUID = 1L;
    }

    /** The payload of the next one. */
    private static byte[] packet(RawClient client) throws IOException {
        byte[] head = client.read(4);
        return client.read((head[2] & 0xff) << 8 | head[3] & 0xff);
    }

    private int filesLeft() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return (int) files.count();
        }
    }
}
