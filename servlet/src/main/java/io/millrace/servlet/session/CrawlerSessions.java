package io.millrace.servlet.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** The sessions of crawlers by their addresses. A session that somebody has logged in to is nobody else's. Any thread. */
final class CrawlerSessions {

    private final CrawlerRule rule;
    private final Map<String, Visit> visits = new ConcurrentHashMap<>();

    CrawlerSessions(CrawlerRule rule) {
        this.rule = rule;
    }

    /** The id of the session that a crawler has; null if it has none, or the client is no crawler. */
    @Nullable
    String idFor(SessionCarrier request) {
        if (visits.isEmpty() || !rule.includes(request)) {
            return null;
        }
        Visit visit = visits.get(request.clientAddress());
        LiveSession session = visit == null ? null : visit.session;
        return session == null || session.login() != null ? null : session.getId();
    }

    /** A client has a new session: if it is a crawler, its next requests find it. */
    void begun(SessionCarrier request, LiveSession session) {
        if (rule.includes(request)) {
            session.setMaxInactiveInterval(rule.inactiveSeconds());
            session.membership().join(new Visit(request.clientAddress(), session));
        }
    }

    /** One session, kept in mind until it ends. */
    private final class Visit implements SessionGroup {

        private final String address;
        private final LiveSession session;

        Visit(String address, LiveSession session) {
            this.address = address;
            this.session = session;
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

        /** There is no other session in it. */
        @Override
        public void end() {}
    }
}
