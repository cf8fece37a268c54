package io.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.security.SingleSignOn.Options;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.SharedValues;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.MemorySessionStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Single sign-on that two servers share … */
final class SingleSignOnOverServersTest {

    private static final String COOKIE = "JSESSIONIDSSO";
    private static final IdentityStore USERS = SignedOn.users("right");
    private static final Options VERIFIED_AGAIN = new Options(COOKIE, null, true);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final FaultyStore store = new FaultyStore();
    private final MemorySessionStore one = new MemorySessionStore();
    private final MemorySessionStore two = new MemorySessionStore();
    private final MemorySessionStore valuesOfOne = new MemorySessionStore();
    private final MemorySessionStore valuesOfTwo = new MemorySessionStore();
    private Options options = Options.DEFAULTS;
    private boolean trustsMemory;

    /** Where the sessions of the applications are. */
    enum Place {
        MEMORY,
        SHARED,
        STICKY;

        SessionSettings of(MemorySessionStore store, MemorySessionStore values) {
            return switch (this) {
                case MEMORY -> SessionSettings.DEFAULT;
                case SHARED -> SessionSettings.DEFAULT.shared(store);
                case STICKY -> SessionSettings.DEFAULT.sticky(store, values);
            };
        }
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.add(part);
        return part;
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private Deployed server(Place place, String route) throws IOException {
        SharedValues values = open(new SharedValues(store, "logins", open(new Timers("test"))));
        SingleSignOn shared = SingleSignOn.shared(USERS, options, values.map(), trustsMemory);
        WebApplication first = SignedOn.application("/one", "BASIC", ended).sessions(place.of(one, valuesOfOne));
        WebApplication second = SignedOn.application("/two", "FORM", ended).sessions(place.of(two, valuesOfTwo));
        for (WebApplication each : List.of(first, second)) {
            each.identities(USERS).with(ContextOptions.JVM_ROUTE, route).singleSignOn(shared);
        }
        return open(Deployed.on(Carrier.byDefault(), first, second));
    }

    private static boolean isKnown(SignedOn.Browser browser, String path) throws Exception {
        HttpResponse<String> response = browser.get(path);
        return response.statusCode() == 200 && response.body().startsWith("ann");
    }

    private static void await(String what, Callable<Boolean> condition) {
        Deadline.await(what, () -> {
            try {
                return condition.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void awaitUnknown(SignedOn.Browser browser, String path) {
        await("the user is logged out", () -> !isKnown(browser, path));
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void makesAUserOfOneKnownToTheOther(Place place) throws Exception {
        Deployed here = server(place, "here");
        Deployed there = server(place, "there");
        SignedOn.Browser browser = new SignedOn.Browser(here);
        assertEquals("ann BASIC", browser.login("/one/private/x", "right").body());
        assertEquals("ann BASIC", browser.on(there).get("/two/open").body());
        assertEquals("", browser.cookie("/two", "JSESSIONID"), "nothing is kept where nothing was asked");
        assertEquals("ann BASIC", browser.get("/two/private/x").body());
        assertEquals("ann BASIC", browser.get("/one/private/x").body());
        assertEquals("ann BASIC", browser.on(here).get("/two/private/x").body());
        assertEquals("null null", new SignedOn.Browser(there).get("/two/open").body());
        SignedOn.Browser guesser = new SignedOn.Browser(there);
        guesser.cookies.put("/ " + COOKIE, "A".repeat(27));
        assertEquals(401, guesser.get("/one/private/x").statusCode());
        assertEquals("", guesser.cookie("/", COOKIE), "taken back");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void endsOnBothByALogOut(Place place) throws Exception {
        endsBy("/two/logout", place);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void endsOnBothIfOneApplicationEndsItsSession(Place place) throws Exception {
        endsBy("/one/invalidate", place);
    }

    private void endsBy(String path, Place place) throws Exception {
        Deployed here = server(place, "here");
        Deployed there = server(place, "there");
        SignedOn.Browser browser = new SignedOn.Browser(here);
        browser.login("/one/private/x", "right");
        browser.get("/two/private/x");
        String session = browser.get("/one/session").body();
        Map<String, String> before = Map.copyOf(browser.cookies);
        SignedOn.Browser other = new SignedOn.Browser(there);
        other.cookies.putAll(browser.cookies);
        assertTrue(isKnown(other, "/one/private/x"));
        assertTrue(isKnown(other, "/two/private/x"));
        assertEquals(200, other.get(path).statusCode());
        assertFalse(isKnown(other, "/one/private/x"));
        assertFalse(isKnown(other, "/two/private/x"));
        awaitUnknown(browser, "/one/private/x");
        browser.cookies.putAll(before);
        awaitUnknown(browser, "/two/open");
        browser.cookies.putAll(before);
        assertNotEquals(session, browser.get("/one/session").body(), "nothing that the user left there can be seen");
        assertTrue(ended.contains("/one"), ended::toString);
    }

    @Test
    void isUnavailableWhileItCannotBeAsked() throws Exception {
        SignedOn.Browser browser = new SignedOn.Browser(server(Place.MEMORY, "here"));
        Deployed there = server(Place.MEMORY, "there");
        browser.login("/one/private/x", "right");
        store.down(true);
        await("the server asks again", () -> browser.get("/one/private/x").statusCode() == 503);
        assertEquals(503, browser.on(there).get("/two/private/x").statusCode(), "and not a login page");
        SignedOn.Browser stranger = new SignedOn.Browser(there);
        assertEquals(401, stranger.get("/one/private/x").statusCode());
        assertEquals("null null", stranger.get("/one/open").body());
        assertEquals(503, stranger.login("/one/private/x", "right").statusCode(), "it could not be ended elsewhere");
        assertEquals("", stranger.cookie("/", COOKIE));
        store.down(false);
        await("all is well again", () -> isKnown(browser, "/two/private/x"));
    }

    @Test
    void staysWhereItIsInMemoryIfThatIsWanted() throws Exception {
        trustsMemory = true;
        SignedOn.Browser browser = new SignedOn.Browser(server(Place.MEMORY, "here"));
        Deployed there = server(Place.MEMORY, "there");
        browser.login("/one/private/x", "right");
        store.down(true);
        await("the server asks again", () -> {
            assertTrue(isKnown(browser, "/one/private/x"));
            return store.calls().stream()
                            .filter(call -> call.startsWith("read"))
                            .count()
                    > 2;
        });
        assertEquals(503, browser.get("/two/private/x").statusCode(), "a session that is not there yet");
        SignedOn.Browser other = new SignedOn.Browser(there);
        other.cookies.putAll(browser.cookies);
        assertEquals(503, other.get("/one/private/x").statusCode());
        assertEquals(503, browser.get("/one/logout").statusCode(), "the other server does not know it");
        assertFalse(isKnown(browser, "/one/open"));
        store.down(false);
        await("the log-out is made up for", () -> store.sessions.isEmpty());
        assertFalse(isKnown(other, "/one/open"));
    }

    @Test
    void letsEachApplicationVerifyAgainAndKeepsNoPasswordThatCanBeRead() throws Exception {
        options = VERIFIED_AGAIN;
        SignedOn.Browser browser = new SignedOn.Browser(server(Place.SHARED, "here"));
        Deployed there = server(Place.SHARED, "there");
        browser.login("/one/private/x", "right");
        assertEquals("null null", browser.on(there).get("/two/open").body(), "nobody has verified anything");
        assertEquals("ann FORM", browser.get("/two/private/x").body());
        assertEquals("ann FORM", browser.get("/two/open").body());
        String id = browser.cookie("/", COOKIE);
        String stored = stored(store.sessions);
        assertFalse(stored.isEmpty());
        for (String secret : List.of("right", "ann", "user", id)) {
            assertFalse(stored.contains(secret), secret);
        }
        assertFalse(stored(one).contains(id) || stored(two).contains(id), "nor what would decrypt it");
    }

    private static String stored(MemorySessionStore in) {
        StringBuilder all = new StringBuilder();
        for (String key : in.keys(Integer.MAX_VALUE)) {
            SessionRecord record = in.read(key);
            all.append(key);
            if (record != null) {
                record.attributes().forEach((name, value) -> all.append(new String(value, ISO_8859_1)));
                record.notes().forEach((name, value) -> all.append(new String(value, ISO_8859_1)));
            }
        }
        return all.toString();
    }
}
