package io.millrace.servlet.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.ServerContext;
import io.millrace.servlet.session.SessionWriter.Attempts;
import io.millrace.servlet.session.StickyAnswer.Health;
import io.millrace.servlet.session.StickyAnswer.Place;
import io.millrace.servlet.session.StickyAnswer.Route;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.text.Plural;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that are used on one server and copied to a store, from which another server takes them over. Its record notes which one a
 * session belongs to; {@link StickyAnswer} says when its memory counts. What requests change is written
 * after their responses, once for many changes; a login, a new id and an end are written before. Thread-safe.
 *
 * <p>Two servers may have a session at once, if a load balancer is not sticky. The one that takes it over notes so in the record, and
 * tells the other ({@link Handovers}); the other's queued changes are merged. An end is a note in the record, which no write of
 * another server overwrites, before the record is removed.
 */
final class StickySessions implements SessionHome {

    private static final String OWNER = "owner";
    private static final String OTHERS = "others";

    /** Servers that are told of a take-over, beside the last one: after failures, those before it may not know. */
    private static final int MOST_OTHERS = 8;

    private static final int AT_A_TIME = 100;

    /** Not more often, as a store may have to scan all its sessions. */
    private static final long PERIOD_MILLIS = 60_000;

    /** How much later than the last access the one in the store may be, at most; a part of the timeout for short ones. */
    private static final long TOUCH_MILLIS = 30_000;

    private static final int TOUCH_PART = 10;

    private final Map<String, Held> here = new ConcurrentHashMap<>();
    private final Sessions sessions;
    private final StoreGuard store;

    /** The route, and a number of this run of the application: a route may be used twice, by mistake or while it is replaced. */
    private final String self;

    private final String jvmRoute;
    private final SessionWriter writer;
    private final Handovers handovers;
    private final StoreQueue<Held> changed;
    private volatile long swept;
    private volatile long reported;

    /** A session in memory. */
    private static final class Held {

        private final LiveSession session;

        /** False once another server may have taken it over. */
        private volatile boolean isOurs = true;

        /** When another server was told that it is not to use its copy; before {@link Handovers#await} it may. */
        private volatile @Nullable Long told;

        /** Uses by requests whose changes may not be in the store: only a write that began after them lowers it. */
        private final AtomicInteger unwritten = new AtomicInteger();

        Held(LiveSession session) {
            this.session = session;
        }
    }

    StickySessions(
            Sessions sessions,
            StoreGuard store,
            SharedValues values,
            SessionSettings settings,
            String jvmRoute,
            ServerContext server) {
        this.sessions = sessions;
        this.store = store;
        this.jvmRoute = jvmRoute;
        self = jvmRoute + "#" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        writer = new SessionWriter(sessions, store, Map.of(OWNER, self.getBytes(UTF_8)));
        handovers = new Handovers(values.guard(), jvmRoute, self, this::doubt, sessions::now);
        changed = new StoreQueue<>(
                store,
                server,
                Duration.ofMillis(settings.get(SessionSettings.REPLICATION_DELAY)),
                Integer.MAX_VALUE,
                (before, same) -> same,
                (key, held) -> write(held));
    }

    private void doubt(@Nullable String key) {
        if (key == null) {
            here.values().forEach(held -> held.isOurs = false);
            return;
        }
        Held held = here.get(key);
        if (held != null) {
            held.isOurs = false;
        }
    }

    // ---- a request begins

    @Override
    public void add(LiveSession session) {
        here.put(session.key(), new Held(session));
    }

    @Override
    public @Nullable LiveSession enter(String key, boolean isOurs) {
        Held held = here.get(key);
        if (held != null && isOurs) {
            boolean counts = handovers.look();
            Place place = counts && held.isOurs ? Place.OWN : Place.DOUBTED;
            Health health = store.isOpen() ? Health.FAILING : Health.FINE;
            if (StickyAnswer.of(place, Route.OWN, health) == StickyAnswer.MEMORY
                    && held.session.life().enter(sessions.now())) {
                return held.session;
            }
        }
        try {
            return store.exclusively(key, () -> takeOver(key));
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be read: " + e.getMessage(), e);
        }
    }

    /** The session as it is in the store, which belongs to this server now; null if there is none. */
    private @Nullable LiveSession takeOver(String key) throws IOException {
        Held held = here.get(key);
        SessionRecord known = held == null ? null : held.session.stored().record();
        if (held != null && known == null) { // no other server knows it
            held.isOurs = true;
            return held.session.life().enter(sessions.now()) ? held.session : null;
        }
        long letters = handovers.letters();
        SessionRecord record = claimed(known == null ? store.read(key) : store.readIfNewer(known), key);
        if (record == null) {
            if (held != null) {
                endedElsewhere(held);
            }
            return null;
        }
        Held taken = held == null ? new Held(LiveSession.of(sessions, record)) : held;
        taken.session.refresh(record);
        taken.told = told(record, key) ? Long.valueOf(handovers.now()) : taken.told;
        if (!taken.session.life().enter(sessions.now())) {
            return null; // expired: the server that takes it notifies the listeners
        }
        taken.isOurs = true;
        here.put(key, taken);
        if (handovers.letters() != letters) {
            taken.isOurs = false; // one of them may have been about this session
        }
        return taken.session;
    }

    /** Notes in the record that the session belongs to this server. */
    private @Nullable SessionRecord claimed(@Nullable SessionRecord found, String key) throws IOException {
        SessionRecord record = found;
        Attempts attempts = new Attempts();
        do {
            if (record == null || SessionWriter.isEnded(record) || record.expires() <= sessions.now()) {
                return null;
            }
            if (self.equals(owner(record))) {
                return record;
            }
            Map<String, byte[]> notes = new HashMap<>(record.notes());
            notes.put(OWNER, self.getBytes(UTF_8));
            notes.put(OTHERS, String.join("\n", others(record)).getBytes(UTF_8));
            SessionRecord ours = record.withNotes(notes);
            if (store.write(ours, record)) {
                return ours.withVersion(ours.version() + 1);
            }
            attempts.pause();
            record = store.read(key);
        } while (attempts.mayContinue());
        throw new IOException("other servers wrote the session during each of the attempts to take it over");
    }

    private static String owner(SessionRecord record) {
        return text(record.notes().get(OWNER));
    }

    /** The other servers that may have the session in memory, the latest last. */
    private List<String> others(SessionRecord record) {
        List<String> known = Stream.concat(text(record.notes().get(OTHERS)).lines(), Stream.of(owner(record)))
                .filter(other -> !other.isEmpty() && !other.equals(self))
                .distinct()
                .toList();
        return known.subList(Math.max(0, known.size() - MOST_OTHERS), known.size());
    }

    private static String text(byte @Nullable [] note) {
        return note == null ? "" : new String(note, UTF_8);
    }

    /** Tells the other servers that may have the session in memory to look into the store; false if there are none. */
    private boolean told(SessionRecord record, String key) throws IOException {
        List<String> others = others(record);
        for (String other : others) {
            handovers.tell(other, key);
        }
        return !others.isEmpty();
    }

    @Override
    public boolean touch(String key) {
        Held held = here.get(key);
        if (held == null || !held.session.life().touch(sessions.now())) {
            return false;
        }
        touchIfDue(held);
        return held.isOurs;
    }

    private void touchIfDue(Held held) {
        LiveSession session = held.session;
        SessionRecord record = session.stored().record();
        long used = session.life().isInUse() ? sessions.now() : session.life().lastUsed();
        if (record != null && used - record.lastAccessed() >= touchMillis(session)) {
            changed.add(session.key(), held);
        }
    }

    private static long touchMillis(LiveSession session) {
        int idle = session.life().maxIdleSeconds();
        return idle <= 0 ? TOUCH_MILLIS : Math.min(TOUCH_MILLIS, idle * 1000L / TOUCH_PART);
    }

    // ---- a request ends

    /** A login or log-out is written at once; if that fails, it has not happened: a log-out ends the session then. */
    @Override
    public void leave(LiveSession session) {
        Held held = held(session);
        boolean loggedOut = session.loginNote().isRemoved();
        IOException lost = null;
        try {
            if (session.life().isAlive() && session.loginNote().isChanged()) {
                write(held);
                awaitOthers(loggedOut ? held.told : null);
            }
        } catch (IOException e) {
            lost = e;
            store.requestFailed(e);
            if (loggedOut) {
                store.bury(session.key());
                endedElsewhere(held);
            } else {
                session.loginNote().revert(session.stored().record());
            }
        } finally {
            held.unwritten.incrementAndGet(); // before the sweep may take it for unused
            session.life().leave(sessions.now());
            if (session.life().isAlive()) {
                changed.add(session.key(), held);
            }
        }
        if (lost != null) {
            throw new SessionUnavailableException("the session's login cannot be stored: " + lost.getMessage(), lost);
        }
    }

    private Held held(LiveSession session) {
        Held held = here.get(session.key());
        if (held != null && held.session.equals(session)) {
            return held;
        }
        Held left = new Held(session);
        left.isOurs = false;
        return left;
    }

    private void awaitOthers(@Nullable Long told) {
        if (told != null) {
            handovers.await(told);
        }
    }

    /** Writes what has changed, unless the session has ended or been written under a new key. */
    private void write(Held held) throws IOException {
        String key = held.session.key();
        store.exclusively(key, () -> {
            if (held.session.life().isAlive() && key.equals(held.session.key())) {
                int unwritten = held.unwritten.get();
                sessions.inContext(() -> {
                    written(held, writer.write(held.session, touchMillis(held.session)));
                    return true;
                });
                held.unwritten.addAndGet(-unwritten);
            }
            return true;
        });
    }

    private void written(Held held, @Nullable SessionRecord now) throws IOException {
        if (now == null) {
            here.remove(held.session.key(), held);
        } else if (!self.equals(owner(now))) {
            held.isOurs = false;
            if (told(now, held.session.key())) {
                held.told = handovers.now();
            }
        }
    }

    private void endedElsewhere(Held held) {
        SessionWriter.endedElsewhere(held.session);
        here.remove(held.session.key(), held);
    }

    // ---- new ids, and the end

    @Override
    public void rename(LiveSession session, String newKey) {
        String old = session.key();
        try {
            store.exclusively(old, () -> {
                rename(held(session), old, newKey);
                return true;
            });
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be written: " + e.getMessage(), e);
        }
    }

    /** Writes the session under its new key, then ends the old one, which is not valid any more. */
    private void rename(Held held, String old, String newKey) throws IOException {
        LiveSession session = held.session;
        SessionRecord before = session.stored().record();
        Long told = held.told;
        int logins = session.loginNote().changes();
        SessionRecord record = writer.asNew(session).withKey(newKey).withLastAccessed(sessions.now());
        store.write(record);
        session.key(newKey);
        held.isOurs = true; // no other server knows the new key
        held.told = null;
        here.put(newKey, held);
        here.remove(old, held);
        SessionWriter.written(session, record, logins);
        boolean ended = false;
        try {
            if (before != null && !end(old, before, told)) { // another server has ended it
                store.remove(newKey);
                endedElsewhere(held(session));
            }
            ended = true;
        } finally {
            if (!ended) {
                store.bury(old);
            }
        }
    }

    @Override
    public boolean close(LiveSession session) {
        String key = session.key();
        Held held = held(session);
        here.remove(key, held);
        try {
            return Boolean.TRUE.equals(store.exclusively(key, () -> {
                SessionRecord stored = session.stored().record();
                return stored == null || end(key, stored, held.told);
            }));
        } catch (IOException e) {
            store.bury(key);
            store.requestFailed(e);
            throw new SessionUnavailableException(
                    "the session has ended on this server, but not yet in the session store: " + e.getMessage(), e);
        }
    }

    /**
     * Ends what the store has: first by a note, which only succeeds while no other server takes the session over, so that it is known
     * whom to tell.
     *
     * @param told when other servers were told to look into the store; null if there are none
     * @return false if another server has ended it
     */
    private boolean end(String key, SessionRecord stored, @Nullable Long told) throws IOException {
        SessionRecord base = stored;
        Attempts attempts = new Attempts();
        do {
            if (base == null || SessionWriter.isEnded(base)) {
                return false;
            }
            if (store.write(SessionWriter.ended(base), base)) {
                Long last = told;
                if (!self.equals(owner(base)) && told(base, key)) {
                    last = handovers.now();
                }
                store.remove(key);
                awaitOthers(last);
                return true;
            }
            attempts.pause();
            base = store.read(key);
        } while (attempts.mayContinue());
        throw new IOException("other servers wrote the session during each of the attempts to end it");
    }

    @Override
    public void ended(LiveSession session) {
        here.remove(session.key(), held(session));
    }

    // ---- time

    @Override
    public void sweep() {
        reportWaiting();
        reportingFailures(handovers::look); // letters expire
        if (store.isOpen()) {
            return;
        }
        for (Held held : here.values()) {
            reportingFailures(() -> sweep(held));
        }
        if (sessions.now() - swept >= PERIOD_MILLIS) {
            swept = sessions.now();
            reportingFailures(this::takeExpired);
            reportingFailures(this::sweepHandovers);
        }
    }

    private void sweepHandovers() throws IOException {
        if (handovers.sweep()) {
            SessionLog.LOG.routeContested(jvmRoute, sessions.application());
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** What fails is tried again by the next sweep, and keeps no other session from being swept. */
    private void reportingFailures(Step step) {
        try {
            step.run();
        } catch (SessionUnavailableException reported) {
            // a request, as it were
        } catch (IOException | RuntimeException | Error e) {
            store.failed(StoreQueue.failure(e));
        }
    }

    private void reportWaiting() {
        int waiting = store.isOpen() ? changed.size() : 0;
        if (waiting > 0 && sessions.now() - reported >= PERIOD_MILLIS) {
            reported = sessions.now();
            SessionLog.LOG.notReplicated(Plural.of(waiting, "session"), sessions.application(), store.toString());
        }
    }

    private void sweep(Held held) throws IOException {
        LiveSession session = held.session;
        if (!session.life().isAlive()) {
            here.remove(session.key(), held);
        } else if (session.life().isExpired(sessions.now())) {
            if (Boolean.TRUE.equals(store.exclusively(session.key(), () -> isExpired(held)))
                    && session.life().expire(sessions.now())) {
                sessions.end(session);
            }
        } else if (held.isOurs || session.life().isInUse() || held.unwritten.get() > 0) {
            touchIfDue(held);
        } else {
            store.exclusively(session.key(), () -> drop(held));
        }
    }

    /** Whether no other server has used or ended the session, which has expired here. */
    private boolean isExpired(Held held) throws IOException {
        if (held.session.stored().record() == null) {
            return true;
        }
        SessionRecord now = store.read(held.session.key());
        if (now == null || SessionWriter.isEnded(now)) {
            endedElsewhere(held);
            return false;
        }
        if (now.expires() > sessions.now()) {
            drop(held);
            return false;
        }
        return true;
    }

    /**
     * Takes a session out of memory, unless a request uses it, or has changed what is not in the store. Nobody else uses the key
     * meanwhile: a request that takes the session over would take it for ended.
     */
    private boolean drop(Held held) {
        SessionLife life = held.session.life();
        boolean dropped = held.unwritten.get() == 0
                && life.park(sessions.now(), 0)
                && held.unwritten.get() == 0 // by a request that has come and gone
                && life.parked();
        if (dropped) {
            held.session.membership().leave();
            here.remove(held.session.key(), held);
        } else {
            life.unpark();
        }
        return dropped;
    }

    private void takeExpired() throws IOException {
        List<SessionRecord> expired;
        do {
            expired = store.takeExpired(sessions.now() - TOUCH_MILLIS, AT_A_TIME);
            for (SessionRecord record : expired) {
                if (!SessionWriter.isEnded(record)) {
                    expired(record);
                }
            }
        } while (expired.size() == AT_A_TIME);
    }

    private void expired(SessionRecord record) {
        Held held = here.get(record.key());
        LiveSession session = held == null ? LiveSession.of(sessions, record) : held.session;
        if (held != null && !session.life().isExpired(sessions.now())) { // it was used while the store did not answer
            session.stored().set(null);
            changed.add(record.key(), held);
        } else if (session.life().invalidate()) {
            sessions.notifyEnd(session);
        }
    }

    /** Writes what is waiting, and what requests that are running have changed. */
    @Override
    public void stop() {
        Map<String, Held> rest = new HashMap<>(changed.stop());
        here.forEach((key, held) -> {
            if (held.session.life().isInUse()) {
                rest.put(key, held);
            }
        });
        int lost = 0;
        Throwable first = null;
        try {
            for (Held held : rest.values()) {
                try {
                    write(held);
                } catch (IOException | RuntimeException | Error e) {
                    lost++;
                    first = first == null ? e : first;
                }
            }
            if (first != null) {
                SessionLog.LOG.notReplicatedAtStop(Plural.of(lost, "session"), sessions.application(), first);
            }
            for (Held held : here.values()) {
                held.session.attributes().passivate();
                held.session.membership().leave();
            }
        } finally {
            here.clear();
        }
    }

    @Override
    public Collection<LiveSession> live() {
        return here.values().stream().map(held -> held.session).toList();
    }

    @Override
    public int count() {
        return here.size();
    }

    @Override
    public boolean mayHaveAny() {
        return true;
    }
}
