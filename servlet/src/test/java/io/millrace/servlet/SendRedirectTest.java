package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.settings.ContextOptions;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Location of sendRedirect … */
@OnDefaultCarriers
class SendRedirectTest {

    private final Carrier carrier;

    SendRedirectTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Deployed deploy(boolean relative) throws IOException {
        WebApplication application = WebApplication.builder("/c")
                .servlet(
                        "to",
                        Serving.with((request, response) -> response.sendRedirect(request.getParameter("to"))),
                        "/dir/to",
                        "/other/to")
                .servlet(
                        "forward",
                        Serving.with((request, response) ->
                                request.getRequestDispatcher("/other/to").forward(request, response)),
                        "/dir/forward")
                .build();
        return Deployed.on(carrier, application.with(ContextOptions.USE_RELATIVE_REDIRECTS, relative));
    }

    private static String location(Deployed app, String servlet, String to, String version) throws IOException {
        try (RawClient client = RawClient.connect(app.port())) {
            client.send("GET /c/dir/" + servlet + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8) + " " + version
                    + "\r\nHost: shop.example\r\n\r\n");
            String answer = client.readUntil("\r\n\r\n");
            Matcher field = Pattern.compile("\r\nLocation: (.*)\r\n").matcher(answer);
            assertTrue(field.find(), answer);
            return field.group(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "there,              there",
        "/c/there,           /c/there",
        "../x y?z=ä,         ../x%20y?z=%C3%A4",
        "?a=1,               ?a=1",
        "https://shop/,      https://shop/",
        "//cdn.example/x,    //cdn.example/x",
        "/\\evil.example,    /%5Cevil.example",
        "\\\\evil.example,   %5C%5Cevil.example",
    })
    void staysAsTheApplicationWroteIt(String to, String expected) throws Exception {
        try (Deployed app = deploy(true)) {
            assertEquals(expected, location(app, "to", to, "HTTP/1.1"));
        }
    }

    @Test
    void isAbsoluteForClientsOfHttp10() throws Exception {
        try (Deployed app = deploy(true)) {
            assertEquals("http://shop.example/c/dir/there", location(app, "to", "there", "HTTP/1.0"));
        }
    }

    @Test
    void isAbsoluteWhereTheOperatorSaysSo() throws Exception {
        try (Deployed app = deploy(false)) {
            assertEquals("http://shop.example/c/x%20y?z=%C3%A4", location(app, "to", "../x y?z=ä", "HTTP/1.1"));
            assertEquals("http://cdn.example/x", location(app, "to", "//cdn.example/x", "HTTP/1.1"));
        }
    }

    /** A client resolves a relative location against the URL that it requested, whatever servlet has answered. */
    @Test
    void isResolvedAgainstTheUrlThatWasRequested() throws Exception {
        try (Deployed app = deploy(false)) {
            assertEquals("http://shop.example/c/dir/there", location(app, "forward", "there", "HTTP/1.1"));
        }
    }
}
