package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ServerContext;
import io.millrace.http.Headers;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.cookie.SameSite;
import io.millrace.servlet.model.SessionConfigModel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.ServletContext;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionAttributeListener;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionBindingListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SessionsTest {

    private final Timers timers = new Timers("test");
    private final AtomicLong now = new AtomicLong(1_000_000);
    private final SessionConfigModel model = new SessionConfigModel();
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void stopTimers() {
        timers.close();
    }

    /** One request and its response. */
    private static final class Exchange implements SessionCarrier {
        private final Headers response = new Headers();
        private Cookie[] cookies = {};
        private @Nullable String path;
        private boolean secure;
        private boolean committed;

        Exchange cookie(String value) {
            return cookies(new Cookie("JSESSIONID", value));
        }

        Exchange cookies(Cookie... all) {
            cookies = all;
            return this;
        }

        Exchange path(String parameters) {
            path = parameters;
            return this;
        }

        @Override
        public Cookie[] cookies() {
            return cookies;
        }

        @Override
        public @Nullable String pathParameters() {
            return path;
        }

        @Override
        public boolean isSecure() {
            return secure;
        }

        @Override
        public String requestUrl() {
            return "http://host/app/here";
        }

        @Override
        public boolean isCommitted() {
            return committed;
        }

        @Override
        public Headers responseHeaders() {
            return response;
        }
    }

    @Test
    void givesAClientItsSessionBack() {
        Sessions sessions = sessions();
        Exchange first = new Exchange();
        HttpSession made = made(sessions.of(first));
        assertTrue(made.isNew());
        assertTrue(made.getId().matches("[A-Za-z0-9_-]{27}"));
        assertEquals(
                "JSESSIONID=" + made.getId() + "; Path=/app; HttpOnly",
                first.responseHeaders().get("Set-Cookie"));

        RequestSession second = sessions.of(new Exchange().cookie(made.getId()));
        assertSame(made, second.get(false));
        assertFalse(made.isNew());
        assertTrue(second.isRequestedIdValid());
        assertTrue(second.isRequestedIdFromCookie());
        assertFalse(second.isRequestedIdFromUrl());
        assertEquals(1, sessions.count());
    }

    @Test
    void makesNoneForAnUnknownId() {
        Sessions sessions = sessions();
        RequestSession request = sessions.of(new Exchange().cookie("planted"));
        assertNull(request.get(false));
        assertEquals("planted", request.requestedId());
        assertFalse(request.isRequestedIdValid());
        assertNotEquals("planted", made(request).getId());
    }

    @Test
    void takesTheFirstValidOfSeveralIds() {
        Sessions sessions = sessions();
        String id = made(sessions.of(new Exchange())).getId();
        RequestSession request = sessions.of(new Exchange()
                .cookies(new Cookie("JSESSIONID", "stale"), new Cookie("x", "y"), new Cookie("JSESSIONID", id)));
        assertEquals(id, request.requestedId());
        assertTrue(request.isRequestedIdValid());
    }

    @Test
    void findsTheIdInThePathAndPutsItIntoLinks() {
        Sessions sessions = sessions();
        RequestSession first = sessions.of(new Exchange());
        String id = made(first).getId();
        assertEquals("x;jsessionid=" + id, first.encode("x"));
        RequestSession second = sessions.of(new Exchange().path(";a=b;jsessionid=" + id + ";c"));
        assertTrue(second.isRequestedIdFromUrl());
        assertTrue(second.isRequestedIdValid());
        assertEquals("x;jsessionid=" + id, second.encodeRedirect("x"));
        RequestSession third = sessions.of(new Exchange().cookie(id).path(";jsessionid=" + id));
        assertTrue(third.isRequestedIdFromCookie());
        assertEquals("x", third.encode("x"));
    }

    @Test
    void tracksTheWaysItIsToldAlone() {
        Sessions sessions = sessions();
        sessions.trackingModes(Set.of(SessionTrackingMode.URL));
        Exchange first = new Exchange();
        first.committed = true;
        String id = made(sessions.of(first)).getId();
        assertNull(first.responseHeaders().get("Set-Cookie"));
        assertNull(sessions.of(new Exchange().cookie(id)).get(false));

        Sessions byCookie = sessions();
        byCookie.trackingModes(Set.of(SessionTrackingMode.COOKIE));
        RequestSession request = byCookie.of(new Exchange());
        made(request);
        assertEquals("x", request.encode("x"));
        assertThrows(IllegalArgumentException.class, () -> byCookie.trackingModes(Set.of(SessionTrackingMode.SSL)));
    }

    @Test
    void refusesANewSessionAfterTheResponseWasCommitted() {
        Exchange exchange = new Exchange();
        exchange.committed = true;
        assertThrows(IllegalStateException.class, () -> sessions().of(exchange).get(true));
    }

    @Test
    void replacesTheCookieOfTheSameResponse() {
        Sessions sessions = sessions();
        Exchange exchange = new Exchange();
        exchange.secure = true;
        exchange.responseHeaders().add("Set-Cookie", "other=1");
        RequestSession request = sessions.of(exchange);
        String old = made(request).getId();
        String changed = request.changeId();
        assertNotEquals(old, changed);
        assertEquals(
                List.of("other=1", "JSESSIONID=" + changed + "; Path=/app; Secure; HttpOnly"),
                exchange.responseHeaders().all("Set-Cookie"));
        assertNull(sessions.of(new Exchange().cookie(old)).get(false));
        assertNotNull(sessions.of(new Exchange().cookie(changed)).get(false));
        assertEquals(1, sessions.count());
    }

    @Test
    void appendsTheRoute() {
        Sessions sessions = new Sessions(context(), model, new CookieWriter(SameSite.LAX), "node1", server(), now::get);
        Exchange exchange = new Exchange();
        assertTrue(made(sessions.of(exchange)).getId().endsWith(".node1"));
        assertTrue(String.valueOf(exchange.responseHeaders().get("Set-Cookie")).endsWith("; SameSite=Lax"));
    }

    @Test
    void looksAsItIsConfiguredUntilTheStart() {
        Sessions sessions = sessions();
        sessions.cookieConfig().setName("SID");
        sessions.cookieConfig().setPath("/");
        sessions.cookieConfig().setDomain("example.com");
        sessions.cookieConfig().setHttpOnly(false);
        sessions.cookieConfig().setSecure(true);
        sessions.cookieConfig().setMaxAge(0);
        sessions.start();
        Exchange exchange = new Exchange();
        RequestSession request = sessions.of(exchange);
        String id = made(request).getId();
        assertEquals(
                "SID=" + id + "; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Domain=example.com; Path=/; Secure",
                exchange.responseHeaders().get("Set-Cookie"));
        assertEquals("x;SID=" + id, request.encode("x"));
        assertThrows(IllegalStateException.class, () -> sessions.cookieConfig().setName("x"));
        assertThrows(IllegalStateException.class, () -> sessions.trackingModes(Set.of()));
        assertThrows(IllegalStateException.class, () -> sessions.timeoutMinutes(1));
    }

    @Test
    void endsAfterItsIdleTime() {
        model.timeoutMinutes = 1;
        Sessions sessions = sessions();
        sessions.addListener(listener("1"));
        RequestSession first = sessions.of(new Exchange());
        String id = made(first).getId();
        now.addAndGet(120_000);
        sessions.sweep();
        assertEquals(1, sessions.count(), "still in use");
        first.end();
        now.addAndGet(59_999);
        sessions.of(new Exchange().cookie(id)).end(); // never asked for it, and used it all the same
        now.addAndGet(59_999);
        sessions.sweep();
        assertEquals(1, sessions.count());
        now.addAndGet(1);
        sessions.sweep();
        assertEquals(0, sessions.count());
        assertEquals(List.of("1 created", "1 destroyed"), told);
    }

    @Test
    void endsAtOnceWhenARequestComesTooLate() {
        model.timeoutMinutes = 1;
        Sessions sessions = sessions();
        RequestSession first = sessions.of(new Exchange());
        HttpSession session = made(first);
        first.end();
        now.addAndGet(60_000);
        assertNull(sessions.of(new Exchange().cookie(session.getId())).get(false));
        assertEquals(0, sessions.count());
        assertThrows(IllegalStateException.class, () -> session.getAttribute("a"));
    }

    @Test
    void answersNothingOnceInvalidated() {
        Sessions sessions = sessions();
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        session.invalidate();
        for (Runnable call : List.<Runnable>of(
                () -> session.getAttribute("a"),
                () -> session.setAttribute("a", "b"),
                () -> session.removeAttribute("a"),
                session::getAttributeNames,
                session::getCreationTime,
                session::getLastAccessedTime,
                session::isNew,
                session::invalidate)) {
            assertThrows(IllegalStateException.class, call::run);
        }
        assertNotNull(session.getId());
        assertNull(request.get(false));
        assertNotEquals(session, made(request));
    }

    @Test
    void tellsListenersInOrderAndAtTheEndInReverse() {
        Sessions sessions = sessions();
        sessions.addListener(listener("1"));
        sessions.addListener(listener("2"));
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        session.setAttribute("a", value("x"));
        session.setAttribute("a", value("y"));
        session.setAttribute("a", null);
        request.changeId();
        session.setAttribute("b", value("z"));
        told.add("--");
        session.invalidate();
        assertEquals(
                List.of(
                        "1 created",
                        "2 created",
                        "x bound a",
                        "1 added a=x",
                        "2 added a=x",
                        "y bound a",
                        "x unbound a",
                        "1 replaced a=x",
                        "2 replaced a=x",
                        "y unbound a",
                        "1 removed a=y",
                        "2 removed a=y",
                        "1 id",
                        "2 id",
                        "z bound b",
                        "1 added b=z",
                        "2 added b=z",
                        "--",
                        "2 destroyed",
                        "1 destroyed",
                        "z unbound b",
                        "1 removed b=z",
                        "2 removed b=z"),
                told);
    }

    @Test
    void letsListenersReadTheSessionThatEnds() {
        Sessions sessions = sessions();
        List<Object> seen = new ArrayList<>();
        sessions.addListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                seen.add(event.getSession().getAttribute("a"));
                event.getSession().invalidate(); // changes nothing: it is being done
            }
        });
        HttpSession session = made(sessions.of(new Exchange()));
        session.setAttribute("a", "b");
        sessions.stop();
        assertEquals(List.of("b"), seen);
        assertEquals(0, sessions.count());
    }

    @Test
    void goesOnWhenAListenerThrows() {
        Sessions sessions = sessions();
        sessions.addListener(new HttpSessionListener() {
            @Override
            public void sessionCreated(HttpSessionEvent event) {
                throw new IllegalArgumentException("on purpose");
            }
        });
        sessions.addListener(listener("2"));
        made(sessions.of(new Exchange()));
        assertEquals(List.of("2 created"), told);
    }

    @Test
    void listsItsAttributes() {
        HttpSession session = made(sessions().of(new Exchange()));
        session.setAttribute("a", 1);
        session.setAttribute("b", 2);
        assertEquals(Set.of("a", "b"), Set.copyOf(Collections.list(session.getAttributeNames())));
        session.removeAttribute("a");
        assertNull(session.getAttribute("a"));
        assertEquals(2, session.getAttribute("b"));
    }

    private Sessions sessions() {
        return new Sessions(context(), model, new CookieWriter(SameSite.UNSET), null, server(), now::get);
    }

    private static HttpSession made(RequestSession request) {
        HttpSession session = request.get(true);
        assertNotNull(session);
        return session;
    }

    private interface Listener extends HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {}

    private Listener listener(String name) {
        return new Listener() {
            @Override
            public void sessionCreated(HttpSessionEvent event) {
                told.add(name + " created");
            }

            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                told.add(name + " destroyed");
            }

            @Override
            public void attributeAdded(HttpSessionBindingEvent event) {
                told.add(name + " added " + event.getName() + "=" + event.getValue());
            }

            @Override
            public void attributeReplaced(HttpSessionBindingEvent event) {
                told.add(name + " replaced " + event.getName() + "=" + event.getValue());
            }

            @Override
            public void attributeRemoved(HttpSessionBindingEvent event) {
                told.add(name + " removed " + event.getName() + "=" + event.getValue());
            }

            @Override
            public void sessionIdChanged(HttpSessionEvent event, String oldId) {
                assertNotEquals(oldId, event.getSession().getId());
                told.add(name + " id");
            }
        };
    }

    private HttpSessionBindingListener value(String name) {
        return new HttpSessionBindingListener() {
            @Override
            public void valueBound(HttpSessionBindingEvent event) {
                told.add(name + " bound " + event.getName());
            }

            @Override
            public void valueUnbound(HttpSessionBindingEvent event) {
                told.add(name + " unbound " + event.getName());
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    private static ServletContext context() {
        ClassLoader loader = SessionsTest.class.getClassLoader();
        return (ServletContext) Proxy.newProxyInstance(
                loader, new Class<?>[] {ServletContext.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getContextPath" -> "/app";
                    case "getClassLoader" -> loader;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private ServerContext server() {
        return new ServerContext() {
            @Override
            public Executor workers() {
                return Runnable::run;
            }

            @Override
            public Timers timers() {
                return timers;
            }

            @Override
            public BufferPool buffers() {
                return new BufferPool(BufferPool.BUFFER_SIZE);
            }
        };
    }
}
