package io.millrace.servlet.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** The sessions of crawlers by address. A session in which a user has logged in is not shared. Thread-safe. */
final class CrawlerSessions {

    private final CrawlerRule rule;
    private final Map<String, Visit> visits = new ConcurrentHashMap<>();

    CrawlerSessions(CrawlerRule rule) {
        this.rule = rule;
    }

    /** The id of a crawler's session; null if it has none, or the client is not a crawler. */
    @Nullable
    String idFor(SessionCarrier request) {
        if (visits.isEmpty() || !rule.includes(request)) {
            return null;
        }
        Visit visit = visits.get(request.clientAddress());
        LiveSession session = visit == null ? null : visit.session;
        return session == null || session.login() != null ? null : session.getId();
    }

    /** Registers a new session: if the client is a crawler, its next requests use it. */
    void begun(SessionCarrier request, LiveSession session) {
        if (rule.includes(request)) {
            session.setMaxInactiveInterval(rule.inactiveSeconds());
            session.membership().join(new Visit(request.clientAddress(), session));
        }
    }

    /** The session of a crawler, until it ends. */
    private final class Visit implements SessionGroup {

        private final String address;
        private final LiveSession session;

        Visit(String address, LiveSession session) {
            this.address = address;
            this.session = session;
        }

        @Override
        public boolean isOver(int idleSeconds) {
            return false;
        }

        @Override
        public boolean add(HttpSession joined) {
            visits.put(address, this);
            return true;
        }

        @Override
        public void left(HttpSession gone) {
            visits.remove(address, this);
        }

        /** Does nothing: the group has no other session. */
        @Override
        public void end() {}
    }
}
