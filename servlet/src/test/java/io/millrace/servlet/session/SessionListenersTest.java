package io.millrace.servlet.session;

import static io.millrace.servlet.session.SessionFixture.made;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.servlet.session.SessionFixture.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionAttributeListener;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionBindingListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners … */
final class SessionListenersTest {

    private final SessionFixture fixture = new SessionFixture();
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void notifiesListenersInOrderAndAtTheEndInReverseOrder() {
        Sessions sessions = fixture.sessions();
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
    void goesOnWhenAListenerThrows() {
        Sessions sessions = fixture.sessions();
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

    /** A session whose end was told in part must be gone all the same. */
    @Test
    void endsTheSessionWhenAListenerThrowsAnError() {
        endsTheSessionWhateverAListenerThrows(new NoClassDefFoundError("on purpose"));
    }

    /** Listeners written in Kotlin or Groovy need not declare it. */
    @Test
    void endsTheSessionWhenAListenerThrowsACheckedException() {
        endsTheSessionWhateverAListenerThrows(new IOException("on purpose"));
    }

    @SuppressWarnings("unchecked") // that is what it is for
    private static <E extends Throwable> void raise(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void endsTheSessionWhateverAListenerThrows(Throwable thrown) {
        Sessions sessions = fixture.sessions();
        sessions.addListener(listener("1"));
        sessions.addListener(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                SessionListenersTest.<RuntimeException>raise(thrown);
            }
        });
        RequestSession request = sessions.of(new Exchange());
        HttpSession session = made(request);
        session.setAttribute("a", "x");
        told.clear();
        session.invalidate();
        assertEquals(List.of("1 destroyed", "1 removed a=x"), told);
        assertEquals(0, sessions.count());
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
}
