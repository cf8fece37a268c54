package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.session.CrawlerRule;
import io.millrace.servlet.session.SessionSettings;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A crawler … */
final class CrawlerSessionsTest {

    private static final String BOT = "ExampleBot/1.0";

    private static Deployed serving(CrawlerRule rule) throws IOException {
        return Deployed.of(WebApplication.builder("")
                .servlet(
                        "session",
                        Serving.with((request, response) -> response.getWriter()
                                .print(request.getSession().getId() + " "
                                        + request.getSession().getMaxInactiveInterval())),
                        "/session")
                .servlet(
                        "end",
                        Serving.with((request, response) -> request.getSession().invalidate()),
                        "/end")
                .servlet(
                        "login",
                        Serving.with((request, response) -> {
                            request.getSession();
                            request.login("ann", "right");
                            response.getWriter().print(request.getSession().getId());
                        }),
                        "/login")
                .servlet(
                        "user",
                        Serving.with((request, response) -> response.getWriter().print(request.getRemoteUser())),
                        "/user")
                .build()
                .identities((name, password) -> new Identity(name, Set.of()))
                .sessions(SessionSettings.DEFAULT.with(rule)));
    }

    private static CrawlerRule bots() {
        return new CrawlerRule(Pattern.compile(".*[bB]ot.*"), null, 60);
    }

    private static String ask(Deployed server, String path, String... agents) throws Exception {
        var request = server.request(path);
        for (String agent : agents) {
            request.header("User-Agent", agent);
        }
        HttpResponse<String> answer = server.send(request);
        assertEquals(200, answer.statusCode());
        return answer.body();
    }

    @Test
    void hasOneSessionWhateverItSendsBack() throws Exception {
        try (Deployed server = serving(bots())) {
            String first = ask(server, "/session", BOT);
            assertTrue(first.endsWith(" 60"), first);
            assertEquals(first, ask(server, "/session", BOT));
            assertEquals(first, ask(server, "/session", "OtherBot"), "of the same address");
            String other = ask(server, "/session", "Browser");
            assertNotEquals(first, other);
            assertTrue(other.endsWith(" 1800"), other);
            assertNotEquals(other, ask(server, "/session", "Browser"));
            ask(server, "/end", BOT);
            assertNotEquals(first, ask(server, "/session", BOT));
        }
    }

    @Test
    void mayBeKnownByItsAddress() throws Exception {
        CrawlerRule rule = new CrawlerRule(Pattern.compile("none"), Pattern.compile("127\\..*"), 60);
        try (Deployed server = serving(rule)) {
            assertEquals(ask(server, "/session", "Browser"), ask(server, "/session", "Browser"));
        }
    }

    @Test
    void isNoOtherUserOfItsAddress() throws Exception {
        try (Deployed server = serving(bots())) {
            String user = ask(server, "/login", BOT);
            assertEquals("null", ask(server, "/user", BOT));
            assertNotEquals(user, ask(server, "/session", BOT).split(" ", 2)[0]);
        }
    }
}
