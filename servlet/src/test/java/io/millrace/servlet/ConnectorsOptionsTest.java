package io.millrace.servlet;

import static io.millrace.servlet.settings.ServletOptions.ALLOW_TRACE;
import static io.millrace.servlet.settings.ServletOptions.MAX_PARAMETER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a connector says of servlet requests … */
class ConnectorsOptionsTest {

    private final ConnectorBuilder strict =
            Carrier.byDefault().connector().with(MAX_PARAMETER_COUNT, 1).with(ALLOW_TRACE, true);

    @Test
    void standsBeforeWhatTheApplicationSays() throws IOException {
        try (Server server = Carrier.server(strict)
                .connector(Carrier.byDefault().connector().build())
                .application(WebApplication.builder("")
                        .servlet(
                                "count",
                                Serving.with((request, response) -> response.getWriter()
                                        .print(request.getParameterMap().size())),
                                "/")
                        .build()
                        .with(ServletOptions.MAX_PARAMETER_COUNT, 2))
                .start()) {
            int first = server.ports().get(0);
            int second = server.ports().get(1);
            assertEquals("200", status(first, "GET /?a"));
            assertEquals("400", status(first, "GET /?a&b"));
            assertEquals("200", status(second, "GET /?a&b"));
            assertEquals("400", status(second, "GET /?a&b&c"));
            assertEquals("200", status(first, "TRACE /"));
            assertEquals("405", status(second, "TRACE /"));
        }
    }

    private static String status(int port, String asked) throws IOException {
        try (RawClient client = RawClient.connect(port)) {
            client.send(asked + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd().split(" ", 3)[1];
        }
    }
}
