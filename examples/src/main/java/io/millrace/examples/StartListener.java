package io.millrace.examples;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.annotation.WebListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;

/** Records the start of the application and counts its sessions. */
@WebListener
public class StartListener implements ServletContextListener, HttpSessionListener {

    static final String STARTED = "started";
    static final String SESSIONS = "sessions";

    private final AtomicInteger sessions = new AtomicInteger();

    @Override
    public void contextInitialized(ServletContextEvent event) {
        event.getServletContext().setAttribute(STARTED, Instant.now());
        event.getServletContext().setAttribute(SESSIONS, sessions);
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        sessions.incrementAndGet();
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        sessions.decrementAndGet();
    }
}
