package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.MemorySessionStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Single sign-on … */
final class SingleSignOnTest {

    private static final IdentityStore USERS = SignedOn.users("right");
    private static final String SHARED = "JSESSIONIDSSO";

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final List<Deployed> servers = new ArrayList<>();

    private WebApplication application(String path, String method) {
        return SignedOn.application(path, method, ended).identities(USERS);
    }

    private Deployed serving(SingleSignOn shared, WebApplication... applications) throws IOException {
        for (WebApplication application : applications) {
            application.singleSignOn(shared);
        }
        Deployed server = Deployed.on(Carrier.byDefault(), applications);
        servers.add(server);
        return server;
    }

    private Deployed twoApplications() throws IOException {
        SingleSignOn shared = new SingleSignOn(USERS, SingleSignOn.Options.DEFAULTS);
        return serving(shared, application("/one", "BASIC"), application("/two", "FORM"));
    }

    @AfterEach
    void stop() {
        servers.forEach(Deployed::close);
    }

    @Test
    void makesAUserOfOneApplicationKnownToTheOthers() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(twoApplications());
        assertEquals(401, browser.get("/one/private/x").statusCode());
        assertEquals("ann BASIC", browser.login("/one/private/x", "right").body());
        assertEquals("ann BASIC", browser.get("/one/private/x").body());
        assertEquals("ann BASIC", browser.get("/two/open").body());
        assertEquals("", browser.cookie("/two", "JSESSIONID"), "nothing is kept where nothing was asked");
        assertEquals("ann BASIC", browser.get("/two/private/x").body());
        assertNotEquals("", browser.cookie("/two", "JSESSIONID"));
        assertEquals(
                "null null",
                new SignedOn.Browser(servers.get(0)).get("/two/open").body());
    }

    @Test
    void isNotBegunByAWrongPassword() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(twoApplications());
        assertEquals(401, browser.login("/one/private/x", "wrong").statusCode());
        assertEquals(Map.of(), browser.cookies);
    }

    @Test
    void hasACookieForAllApplicationsAndNoScript() throws Exception {
        SingleSignOn shared = new SingleSignOn(USERS, new SingleSignOn.Options("SHARED", "example.test", false));
        SignedOn.Browser browser = new SignedOn.Browser(serving(shared, application("/one", "BASIC")));
        String field = browser.login("/one/private/x", "right").headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("SHARED="))
                .findFirst()
                .orElseThrow();
        assertTrue(field.matches("SHARED=[\\w-]{27}; Domain=example.test; Path=/; HttpOnly"), field);
        assertThrows(IllegalArgumentException.class, () -> new SingleSignOn.Options("a b", null, false));
        assertThrows(IllegalArgumentException.class, () -> new SingleSignOn.Options("a", "b;c", false));
    }

    @Test
    void endsEverywhereByALogOut() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(twoApplications());
        browser.login("/one/private/x", "right");
        browser.get("/two/private/x");
        Map<String, String> before = Map.copyOf(browser.cookies);
        assertEquals(200, browser.get("/two/logout").statusCode());
        assertEquals("", browser.cookie("/", SHARED));
        assertEquals(Set.of("/one", "/two"), Set.copyOf(ended));
        browser.cookies.putAll(before);
        assertEquals(401, browser.get("/one/private/x").statusCode());
        assertEquals("", browser.cookie("/", SHARED), "taken back");
        browser.cookies.putAll(before);
        assertFalse(browser.get("/two/private/x").body().startsWith("ann"));
        assertEquals("null null", browser.get("/two/open").body());
    }

    @Test
    void endsEverywhereIfOneApplicationEndsItsSession() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(twoApplications());
        browser.login("/one/private/x", "right");
        browser.get("/two/private/x");
        assertEquals(200, browser.get("/one/invalidate").statusCode());
        assertEquals(Set.of("/one", "/two"), Set.copyOf(ended));
        assertFalse(browser.get("/two/private/x").body().startsWith("ann"));
    }

    @Test
    void outlastsTheApplicationThatItBeganIn() throws Exception {
        SingleSignOn shared = new SingleSignOn(USERS, SingleSignOn.Options.DEFAULTS);
        WebApplication first = application("/one", "BASIC").singleSignOn(shared);
        WebApplication second = application("/two", "FORM").singleSignOn(shared);
        try (Server server = Carrier.byDefault()
                .server()
                .failFast(true)
                .application(first)
                .application(second)
                .start()) {
            SignedOn.Browser browser = new SignedOn.Browser(new Deployed(server));
            browser.login("/one/private/x", "right");
            browser.get("/two/private/x");
            server.undeploy(first, Duration.ZERO);
            assertEquals(List.of("/one"), ended);
            assertEquals("ann BASIC", browser.get("/two/private/x").body());
            String id = browser.cookie("/", SHARED);
            server.undeploy(second, Duration.ZERO);
            server.deploy(application("/two", "FORM").singleSignOn(shared));
            browser.cookies.put("/ " + SHARED, id);
            assertFalse(browser.get("/two/private/x").body().startsWith("ann"), "no session of it is left");
        }
    }

    @Test
    void believesNoIdThatItHasNotGiven() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(twoApplications());
        browser.cookies.put("/ " + SHARED, "AAAAAAAAAAAAAAAAAAAAAAAAAAA");
        assertEquals(401, browser.get("/one/private/x").statusCode());
        assertEquals("", browser.cookie("/", SHARED));
    }

    @Test
    void givesNewIdsAtALogin() throws Exception {
        SignedOn.Browser attacker = new SignedOn.Browser(twoApplications());
        attacker.login("/one/private/x", "right");
        attacker.get("/two/session");
        SignedOn.Browser victim = new SignedOn.Browser(servers.get(0));
        victim.cookies.put("/two JSESSIONID", attacker.cookie("/two", "JSESSIONID"));
        victim.login("/one/private/x", "right");
        assertNotEquals(attacker.cookie("/", SHARED), victim.cookie("/", SHARED));
        assertEquals("ann BASIC", victim.get("/two/private/x").body());
        assertNotEquals(attacker.cookie("/two", "JSESSIONID"), victim.cookie("/two", "JSESSIONID"));
        victim.get("/two/login");
        assertEquals(500, victim.get("/two/login").statusCode(), "somebody is logged in");
    }

    @Test
    void letsEachApplicationVerifyAgainWhereThatIsSaid() throws Exception {
        SingleSignOn shared = new SingleSignOn(USERS, new SingleSignOn.Options(SHARED, null, true));
        Deployed server = serving(
                shared,
                application("/one", "BASIC"),
                application("/two", "FORM"),
                application("/other", "BASIC").identities(SignedOn.users("other")),
                application("/digest", "DIGEST"));
        SignedOn.Browser browser = new SignedOn.Browser(server);
        browser.login("/one/private/x", "right");
        assertEquals("null null", browser.get("/two/open").body(), "nobody has verified anything");
        assertEquals("ann FORM", browser.get("/two/private/x").body());
        assertEquals("ann FORM", browser.get("/two/open").body());
        assertEquals(401, browser.get("/other/private/x").statusCode());
        assertEquals(401, browser.get("/digest/private/x").statusCode());
        browser.get("/two/logout");
        assertEquals(401, browser.get("/one/private/x").statusCode());
    }

    @Test
    void isNotForApplicationsWithOtherUsers() {
        SingleSignOn shared = new SingleSignOn(USERS, SingleSignOn.Options.DEFAULTS);
        WebApplication other = application("/other", "BASIC").identities(SignedOn.users("other"));
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> serving(shared, other));
        assertTrue(
                String.valueOf(refused.getCause()).contains("has a realm of its own"), () -> refused.getCause() + "");
    }

    @Test
    void leavesTheCookieOfOtherUsersAlone() throws Exception {
        SingleSignOn shared = new SingleSignOn(USERS, SingleSignOn.Options.DEFAULTS);
        IdentityStore others = SignedOn.users("right");
        Deployed server = Deployed.on(
                Carrier.byDefault(),
                application("/one", "BASIC").singleSignOn(shared),
                application("/two", "BASIC").singleSignOn(shared),
                application("/other", "BASIC").identities(others).singleSignOn(shared.withUsers(others, "others")));
        servers.add(server);
        SignedOn.Browser browser = new SignedOn.Browser(server);
        browser.login("/one/private/x", "right");
        assertEquals(401, browser.get("/other/private/x").statusCode());
        assertEquals("null null", browser.get("/other/open").body());
        assertEquals("ann BASIC", browser.get("/two/private/x").body());
    }

    @Test
    void isNotForSessionsThatOtherServersShare() throws Exception {
        SingleSignOn shared = new SingleSignOn(USERS, SingleSignOn.Options.DEFAULTS);
        WebApplication one =
                application("/one", "BASIC").sessions(SessionSettings.DEFAULT.shared(new MemorySessionStore()));
        SignedOn.Browser browser = new SignedOn.Browser(serving(shared, one, application("/two", "BASIC")));
        assertEquals("ann BASIC", browser.login("/one/private/x", "right").body());
        assertEquals("", browser.cookie("/", SHARED));
        browser.login("/two/private/x", "right");
        assertEquals("null null", browser.get("/one/open").body());
    }

    @Test
    void isOverForEveryRequestThatComesAfterTheLogOut() throws Exception {
        Deployed server = twoApplications();
        ExecutorService browsers = Executors.newFixedThreadPool(6);
        try {
            for (int round = 0; round < 30; round++) {
                SignedOn.Browser user = new SignedOn.Browser(server);
                user.login("/one/private/x", "right");
                CountDownLatch together = new CountDownLatch(1);
                List<SignedOn.Browser> tabs = new ArrayList<>();
                List<Future<?>> asked = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    SignedOn.Browser tab = new SignedOn.Browser(server);
                    tab.cookies.putAll(user.cookies);
                    tabs.add(tab);
                    String path = i == 0 ? "/one/logout" : i % 2 == 0 ? "/one/private/x" : "/two/private/x";
                    asked.add(browsers.submit(() -> {
                        together.await();
                        return tab.get(path);
                    }));
                }
                together.countDown();
                for (Future<?> one : asked) {
                    one.get();
                }
                for (SignedOn.Browser tab : tabs) {
                    tab.cookies.put("/ " + SHARED, user.cookie("/", SHARED));
                    assertEquals("null null", tab.get("/one/open").body());
                    tab.cookies.put("/ " + SHARED, user.cookie("/", SHARED));
                    assertEquals("null null", tab.get("/two/open").body());
                }
            }
        } finally {
            browsers.shutdownNow();
        }
    }
}
