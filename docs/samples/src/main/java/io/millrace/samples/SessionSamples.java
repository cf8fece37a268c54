package io.millrace.samples;

import static io.millrace.servlet.session.SessionSettings.COOKIES;
import static io.millrace.servlet.session.SessionSettings.MAX_ACTIVE_SESSIONS;
import static io.millrace.servlet.session.SessionSettings.MAX_IDLE_BACKUP;
import static io.millrace.servlet.session.SessionSettings.MAX_IDLE_SWAP;
import static io.millrace.servlet.session.SessionSettings.PERSIST_AUTHENTICATION;
import static io.millrace.servlet.session.SessionSettings.SESSION_ATTRIBUTE_NAME_FILTER;
import static io.millrace.servlet.session.SessionSettings.SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER;
import static io.millrace.servlet.session.SessionSettings.SESSION_COOKIE_DOMAIN;
import static io.millrace.servlet.session.SessionSettings.SESSION_COOKIE_NAME;
import static io.millrace.servlet.session.SessionSettings.SESSION_COOKIE_PATH;
import static io.millrace.servlet.session.SessionSettings.SESSION_ID_LENGTH;
import static io.millrace.servlet.session.SessionSettings.USE_HTTP_ONLY;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.servlet.session.store.MemorySessionStore;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.SameSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** Sessions in the guide. */
final class SessionSamples {

    private SessionSamples() {}

    /** Counts a session's requests. */
    static final class Counter extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
            session.setAttribute("count", count);
            response.getWriter().print(count);
        }
    }

    static WebApplication carried(Path war) {
        // tag::carried
        WebApplication application = WebApplication.war(war)
                .with(ContextOptions.SAME_SITE_COOKIES, SameSite.LAX)
                .sessions(SessionSettings.DEFAULT
                        .with(SESSION_COOKIE_NAME, "SHOPID")
                        .with(SESSION_COOKIE_DOMAIN, "shop.example")
                        .with(SESSION_COOKIE_PATH, "/")
                        .with(USE_HTTP_ONLY, true)
                        .with(COOKIES, true)
                        .with(SESSION_ID_LENGTH, 32)
                        .with(MAX_ACTIVE_SESSIONS, 100_000));
        // end::carried
        return application;
    }

    static WebApplication kept(Path war, Path directory) throws IOException {
        // tag::kept
        WebApplication application = WebApplication.war(war)
                .sessions(SessionSettings.DEFAULT
                        .keptOverRestart(new FileSessionStore(directory))
                        .with(MAX_IDLE_SWAP, 1200)
                        .with(MAX_IDLE_BACKUP, 30)
                        .with(PERSIST_AUTHENTICATION, true));
        // end::kept
        return application;
    }

    static List<WebApplication> cluster() {
        // tag::cluster
        SessionStore store = new MemorySessionStore();
        WebApplication here = shared(store);
        WebApplication there = shared(store);
        // end::cluster
        return List.of(here, there);
    }

    // tag::shared
    static WebApplication shared(SessionStore store) {
        return WebApplication.builder("")
                .servlet("counter", new Counter(), "/count")
                .build()
                .sessions(SessionSettings.DEFAULT.shared(store));
    }
    // end::shared

    // tag::store
    /** Keeps serialized sessions in a map, as a store on the network would. */
    static final class BytesStore implements SessionStore {

        private final Map<String, byte[]> sessions = new HashMap<>();

        @Override
        public synchronized @Nullable SessionRecord read(String key) throws IOException {
            byte[] bytes = sessions.get(key);
            return bytes == null ? null : SessionRecord.fromBytes(bytes);
        }

        @Override
        public synchronized boolean write(SessionRecord session) throws IOException {
            SessionRecord stored = read(session.key());
            if ((stored == null ? 0 : stored.version()) != session.version()) {
                return false;
            }
            sessions.put(
                    session.key(), session.withVersion(session.version() + 1).toBytes());
            return true;
        }

        @Override
        public synchronized boolean touch(String key, long lastAccessed) throws IOException {
            SessionRecord stored = read(key);
            if (stored == null || stored.expires() <= lastAccessed) {
                return false;
            }
            if (stored.lastAccessed() < lastAccessed) {
                sessions.put(key, stored.withLastAccessed(lastAccessed).toBytes());
            }
            return true;
        }

        @Override
        public synchronized boolean remove(String key) {
            return sessions.remove(key) != null;
        }

        @Override
        public synchronized List<SessionRecord> takeExpired(long now, int most) throws IOException {
            List<SessionRecord> taken = new ArrayList<>();
            for (String key : List.copyOf(sessions.keySet())) {
                SessionRecord stored = read(key);
                if (stored != null && taken.size() < most && stored.expires() <= now && remove(key)) {
                    taken.add(stored);
                }
            }
            return taken;
        }

        @Override
        public synchronized int size() {
            return sessions.size();
        }

        @Override
        public synchronized List<String> keys(int most) {
            return sessions.keySet().stream().limit(most).toList();
        }
    }
    // end::store

    static SessionSettings picky(SessionStore store) {
        // tag::picky
        SessionSettings picky = SessionSettings.DEFAULT
                .keptOverRestart(store)
                .with(SESSION_ATTRIBUTE_NAME_FILTER, Pattern.compile("user|cart"))
                .with(SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER, Pattern.compile("java\\..*|com\\.example\\..*"));
        // end::picky
        return picky;
    }
}
