package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.SessionFixture.Exchange;
import io.millrace.servlet.session.StickyAnswer.Health;
import io.millrace.servlet.session.StickyAnswer.Place;
import io.millrace.servlet.session.StickyAnswer.Route;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.settings.SameSite;
import io.millrace.testkit.Deadline;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that belong to one server, and are copied to a store … */
@Timeout(60)
final class StickySessionsTest {

    private static final int NEVER = 60_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    private final SessionFixture fixture = new SessionFixture();
    private final FaultyStore store = new FaultyStore();
    private final FaultyStore values = new FaultyStore();
    private final Sessions one = server("one", NEVER);
    private final Sessions two = server("two", NEVER);
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        store.resume();
        values.resume();
        fixture.close();
    }

    private Sessions server(String route, int delay) {
        SessionSettings settings = SessionSettings.DEFAULT
                .sticky(store, values)
                .with(SessionSettings.REPLICATION_DELAY, delay)
                .with(SessionSettings.STORE_TIMEOUT, 200);
        return fixture.sessions(settings, route, SameSite.UNSET);
    }

    static RequestSession request(Sessions server, String id) {
        return server.of(new Exchange().cookie(id));
    }

    static HttpSession session(RequestSession request) {
        HttpSession session = request.get(false);
        assertNotNull(session);
        return session;
    }

    /** A new session, whose user has logged in, so that it is in the store. */
    static String begin(Sessions server) {
        RequestSession request = server.of(new Exchange());
        HttpSession session = made(request);
        session.setAttribute("a", "b");
        request.login(new SessionLogin(new User("eve"), "FORM"));
        request.end();
        return session.getId();
    }

    /** Somebody who logs in. */
    record User(String getName) implements Principal, java.io.Serializable {
        @Override
        public String getName() {
            return getName;
        }
    }

    static String key(String id) {
        return SessionIds.key(id);
    }

    private SessionRecord stored(String id) {
        SessionRecord record = store.sessions.read(key(id));
        assertNotNull(record);
        return record;
    }

    static void set(Sessions server, String id, String name, Object value) {
        RequestSession request = request(server, id);
        session(request).setAttribute(name, value);
        request.end();
    }

    static @Nullable Object get(Sessions server, String id, String name) {
        RequestSession request = request(server, id);
        Object value = session(request).getAttribute(name);
        request.end();
        return value;
    }

    // ---- the table

    @Test
    void comeFromWhereTheTableSays() throws Exception {
        for (Place place : Place.values()) {
            for (Route route : Route.values()) {
                for (Health health : Health.values()) {
                    assertEquals(
                            StickyAnswer.of(place, route, health),
                            answer(place, route, health),
                            place + " " + route + " " + health);
                }
            }
        }
    }

    private StickyAnswer answer(Place place, Route route, Health health) throws Exception {
        Sessions server = server("one", NEVER);
        Sessions other = server("two", NEVER);
        boolean isHere = place == Place.OWN || place == Place.STALE;
        String key = key(begin(isHere ? server : other));
        if (place == Place.STALE) {
            request(other, key).get(false);
            get(server, begin(server), "a"); // it looks whether another server has told it something
        }
        String id = switch (route) {
            case OWN -> key + ".one";
            case OTHER -> key + ".two";
            case NONE -> key;
        };
        CompletableFuture<StickyAnswer> first = null;
        if (place == Place.ARRIVING) {
            store.hang();
            int before = store.calls().size();
            first = CompletableFuture.supplyAsync(() -> answer(server, id));
            Deadline.await("it is read", SOON, () -> store.calls().size() > before);
        }
        set(health);
        int before = store.calls().size();
        CompletableFuture<StickyAnswer> answer = CompletableFuture.supplyAsync(() -> answer(server, id));
        if (first != null && health != Health.HUNG) {
            store.resume();
        }
        StickyAnswer got = answer.get();
        if (first != null) {
            assertEquals(got, first.get());
        }
        boolean asked = store.calls().size() > before;
        store.down(false);
        values.down(false);
        store.resume();
        values.resume();
        server.stop();
        other.stop();
        return got == StickyAnswer.STORE && !asked ? StickyAnswer.MEMORY : got;
    }

    private void set(Health health) {
        store.down(health == Health.FAILING);
        values.down(health == Health.FAILING);
        if (health == Health.HUNG && !store.isHanging()) {
            store.hang();
            values.hang();
        }
    }

    private static StickyAnswer answer(Sessions server, String id) {
        RequestSession request = request(server, id);
        try {
            assertEquals("b", session(request).getAttribute("a"));
            return StickyAnswer.STORE;
        } catch (SessionUnavailableException e) {
            return StickyAnswer.UNAVAILABLE;
        } finally {
            request.end();
        }
    }

    // ---- what follows, and what does not wait

    @Test
    void areCopiedAfterADelayOnceForManyRequests() {
        Sessions three = server("three", 50);
        RequestSession request = three.of(new Exchange());
        String id = made(request).getId();
        session(request).setAttribute("list", new ArrayList<>(List.of("0")));
        request.end();
        assertNull(store.sessions.read(key(id)), "not before the response");
        for (int i = 1; i < 10; i++) {
            RequestSession next = request(three, id);
            list(next).add("" + i);
            next.end();
        }
        Deadline.await("it is copied", SOON, () -> version(id) > 0 && copied(id).size() == 10);
        assertTrue(version(id) < 5, "version " + version(id));
        assertEquals("9", list(request(two, id)).get(9));
    }

    private long version(String id) {
        SessionRecord record = store.sessions.read(key(id));
        return record == null ? 0 : record.version();
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(RequestSession request) {
        return (List<String>) session(request).getAttribute("list");
    }

    /** What a server would have that takes it over now, without doing so. */
    private List<String> copied(String id) {
        FaultyStore copy = new FaultyStore();
        copy.sessions.write(stored(id).withVersion(0));
        return list(fixture.sessions(SessionSettings.DEFAULT.shared(copy)).of(new Exchange().cookie(id)));
    }

    @Test
    void areNeitherWrittenNorReadForRequestsThatChangeNothing() {
        Sessions three = server("three", 1);
        String id = begin(three);
        List<String> calls = store.calls();
        for (int i = 0; i < 10; i++) {
            assertEquals("b", get(three, id, "a"));
        }
        fixture.now.addAndGet(60_000);
        assertEquals("b", get(three, id, "a"));
        Deadline.await("it is touched", SOON, () -> store.calls().size() > calls.size());
        assertEquals("touch " + key(id), store.calls().get(calls.size()));
    }

    @Test
    void storeALoginANewIdAndAnEndBeforeTheResponse() {
        String id = begin(one);
        assertTrue(stored(id).notes().containsKey("login"));
        RequestSession request = request(one, id);
        session(request).setAttribute("c", "d");
        String changed = request.changeId();
        assertTrue(stored(changed).attributes().containsKey("c"));
        assertNull(store.sessions.read(key(id)));
        request.end();
        assertNull(request(two, id).get(false));
        RequestSession last = request(one, changed);
        session(last).invalidate();
        assertEquals(0, store.sessions.size());
        last.end();
    }

    @Test
    void showTheServerThatTakesThemOverWhoIsLoggedInAndGiveItsRoute() {
        String id = begin(one);
        Exchange exchange = new Exchange().cookie(id);
        RequestSession there = two.of(exchange);
        assertEquals("b", session(there).getAttribute("a"));
        SessionLogin login = there.login();
        assertNotNull(login);
        assertEquals("eve", login.principal().getName());
        String cookie = String.valueOf(exchange.responseHeaders().get("Set-Cookie"));
        assertTrue(cookie.startsWith("JSESSIONID=" + key(id) + ".two;"), cookie);
        there.end();
    }

    // ---- two servers at once

    @Test
    void areEndedOnBothAtOnce() {
        one.addListener(listener("one"));
        two.addListener(listener("two"));
        String id = begin(one);
        assertEquals("b", get(two, id, "a"));
        RequestSession leaving = request(two, key(id) + ".two");
        session(leaving).invalidate();
        leaving.end();
        assertNull(request(one, id).get(false), "which has it in memory");
        assertEquals(List.of("two destroyed b"), told);
    }

    @Test
    void areEndedByAServerThatDoesNotYetKnowWhoTookThemOver() {
        String id = begin(one);
        RequestSession leaving = request(one, id);
        HttpSession session = session(leaving);
        assertEquals("b", get(two, id, "a"));
        assertEquals("b", get(two, key(id) + ".two", "a"));
        session.invalidate();
        leaving.end();
        assertNull(request(two, key(id) + ".two").get(false));
        assertEquals(0, store.sessions.size());
    }

    @Test
    void areNotLoggedInAgainOnTheOtherServer() {
        String id = begin(one);
        assertEquals("b", get(two, id, "a"));
        RequestSession leaving = request(two, key(id) + ".two");
        leaving.login(null);
        leaving.end();
        assertNull(request(one, id).login());
    }

    @Test
    void doNotComeBackByAnOldChange() {
        String id = begin(one);
        set(one, id, "late", "x");
        RequestSession leaving = request(two, id);
        session(leaving).invalidate();
        leaving.end();
        one.stop();
        assertEquals(0, store.sessions.size());
    }

    @Test
    void doNotComeBackUnderANewId() {
        String id = begin(one);
        RequestSession renaming = request(one, id);
        session(renaming);
        RequestSession leaving = request(two, id);
        session(leaving).invalidate();
        leaving.end();
        String changed = renaming.changeId();
        renaming.end();
        assertEquals(0, store.sessions.size());
        assertNull(request(one, changed).get(false));
    }

    @Test
    void haveTheChangesOfBoth() {
        String id = begin(one);
        set(one, id, "x", "1");
        set(two, id, "y", "2");
        one.stop();
        assertEquals("1", get(two, key(id) + ".two", "x"), "which the other was told of");
        two.stop();
        assertEquals(java.util.Set.of("a", "x", "y"), stored(id).attributes().keySet());
    }

    @Test
    void expireOnlyIfNoServerUsesThem() {
        one.addListener(listener("one"));
        two.addListener(listener("two"));
        fixture.model.timeoutMinutes = 1;
        Sessions three = server("three", 1);
        three.addListener(listener("three"));
        String id = begin(three);
        fixture.now.addAndGet(40_000);
        assertEquals("b", get(one, id, "a"));
        set(one, key(id) + ".one", "c", "d");
        one.stop();
        fixture.now.addAndGet(40_000);
        Deadline.await("it leaves memory when it is written", SOON, () -> {
            three.sweep();
            return three.count() == 0;
        });
        two.sweep();
        assertEquals(List.of(), told, "it was used elsewhere");
        fixture.now.addAndGet(200_000);
        two.sweep();
        three.sweep();
        assertEquals(List.of("two destroyed b"), told);
    }

    // ---- outages

    private void down(boolean now) {
        store.down(now);
        values.down(now);
    }

    @Test
    void areServedFromMemoryWhileTheStoreDoesNotAnswer() {
        Sessions three = server("three", 50);
        String id = begin(three);
        down(true);
        set(three, id, "c", "d");
        assertEquals("d", get(three, id, "c"));
        RequestSession fresh = three.of(new Exchange());
        made(fresh).setAttribute("e", "f");
        String other = session(fresh).getId();
        fresh.end();
        RequestSession login = request(three, other);
        assertThrows(SessionUnavailableException.class, login::changeId);
        login.end();
        assertEquals("f", get(three, other, "e"), "as it was");
        down(false);
        Deadline.await(
                "what waited is written",
                SOON,
                () -> version(other) > 0 && stored(id).attributes().containsKey("c"));
        three.stop();
    }

    @Test
    void areNotLoggedInIfThatCannotBeStored() {
        String id = begin(one);
        RequestSession out = request(one, id);
        out.login(null);
        out.end();
        down(true);
        RequestSession login = request(one, id);
        login.login(new SessionLogin(new User("mallory"), "FORM"));
        assertThrows(SessionUnavailableException.class, login::end);
        assertNull(request(one, id).login());
        down(false);
        one.stop();
        assertFalse(stored(id).notes().containsKey("login"));
    }

    @Test
    void stayEndedAfterALogOutDuringAnOutage() {
        String id = begin(one);
        set(one, id, "late", "x");
        down(true);
        RequestSession leaving = request(one, id);
        HttpSession session = session(leaving);
        assertThrows(SessionUnavailableException.class, session::invalidate);
        leaving.end();
        assertThrows(IllegalStateException.class, () -> session.getAttribute("a"));
        down(false);
        assertNull(request(one, id).get(false));
        one.stop();
        assertEquals(0, store.sessions.size());
        assertNull(request(two, id).get(false));
    }

    @Test
    void areAllStoredWhenTheServerStops() {
        String id = begin(one);
        set(one, id, "c", "d");
        RequestSession running = request(one, id);
        session(running).setAttribute("e", "f");
        one.stop();
        assertEquals(java.util.Set.of("a", "c", "e"), stored(id).attributes().keySet());
    }

    @Test
    void needARoute() {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> server("", 100));
        assertTrue(String.valueOf(refused.getMessage()).contains("jvmRoute"), refused.getMessage());
    }

    @Test
    void areOneObjectForRequestsThatTakeThemOverTogether() throws Exception {
        String id = begin(one);
        List<RequestSession> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            requests.add(request(two, id));
        }
        List<CompletableFuture<HttpSession>> got = requests.stream()
                .map(request -> CompletableFuture.supplyAsync(() -> session(request)))
                .toList();
        for (CompletableFuture<HttpSession> other : got) {
            assertSame(got.get(0).get(), other.get());
        }
    }

    private HttpSessionListener listener(String name) {
        return new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                told.add(name + " destroyed " + event.getSession().getAttribute("a"));
            }
        };
    }
}
