package io.millrace.servlet.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.ServerContext;
import io.millrace.servlet.session.store.RetryBackoff;
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
 * Sessions that are used on one server and copied to a store, from which another server takes them over. The record of a session
 * notes which server owns it.
 *
 * <pre>
 * in memory     route of the id   store     the session is
 * owned         this server's     any       the one in memory, after a poll for changes of owners, at most every 100 ms
 * owned         another, none     answers   read from the store: another server may have changed or ended it
 * stale         any               answers   read from the store: another server has taken it over since
 * none          any               answers   taken over from the store, if it is there
 * never stored  any               any       the one in memory: no other server knows it
 * (all others)  any               fails     unavailable (503): it may have been ended elsewhere
 * </pre>
 *
 * <p>While the poll of another request has no answer yet, an owned session counts as stale. What requests change is written after their responses, once for many changes; a login, a new id and an end are written before. Thread-safe.
 *
 * <p>Two servers may have a session at once, if a load balancer is not sticky. The one that takes it over notes so in the record, and
 * invalidates the other's copy ({@link OwnershipChanges}); the other's queued changes are merged. An end is a note in the record, which no write of
 * another server overwrites, before the record is removed.
 */
final class StickySessions implements SessionHome {

    private static final String OWNER = "owner";
    private static final String OTHERS = "others";

    /** Servers that are notified of a take-over, beside the last one: after failures, those before it may not know. */
    private static final int MAX_OTHERS = 8;

    private static final int AT_A_TIME = 100;

    /** Not more often, as a store may have to scan all its sessions. */
    private static final long PERIOD_MILLIS = 60_000;

    /** How much later than the last access the one in the store may be, at most; a part of the timeout for short ones. */
    private static final long TOUCH_MILLIS = 30_000;

    private final Map<String, CachedSession> here = new ConcurrentHashMap<>();
    private final Sessions sessions;
    private final StoreGuard store;

    /** The route, and a number of this run of the application: a route may be used twice, by mistake or while it is replaced. */
    private final String self;

    private final String jvmRoute;
    private final SessionWriter writer;
    private final OwnershipChanges ownership;
    private final StoreQueue<CachedSession> changed;
    private volatile long swept;
    private volatile long reported;

    /** A session in memory. */
    private static final class CachedSession {

        private final LiveSession session;

        /** False once another server may have taken it over. */
        private volatile boolean isOwner = true;

        /** When an invalidation was last sent to another server; before {@link OwnershipChanges#await} that may still use its copy. */
        private volatile @Nullable Long notified;

        /** Uses by requests whose changes may not be in the store: only a write that began after them lowers it. */
        private final AtomicInteger unwritten = new AtomicInteger();

        CachedSession(LiveSession session) {
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
        ownership = new OwnershipChanges(values.guard(), jvmRoute, self, this::markStale, sessions::now);
        changed = new StoreQueue<>(
                store,
                server,
                Duration.ofMillis(settings.get(SessionSettings.REPLICATION_DELAY)),
                Integer.MAX_VALUE,
                (before, same) -> same,
                (key, cached) -> write(cached));
    }

    private void markStale(@Nullable String key) {
        if (key == null) {
            here.values().forEach(cached -> cached.isOwner = false);
            return;
        }
        CachedSession cached = here.get(key);
        if (cached != null) {
            cached.isOwner = false;
        }
    }

    // ---- a request begins

    @Override
    public void add(LiveSession session) {
        here.put(session.key(), new CachedSession(session));
    }

    @Override
    public @Nullable LiveSession enter(String key, boolean isOurs) {
        CachedSession cached = here.get(key);
        if (cached != null && isOurs) {
            boolean isValid = ownership.poll(); // may find that another server owns the session
            if (isValid && cached.isOwner && cached.session.life().enter(sessions.now())) {
                return cached.session;
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
        CachedSession cached = here.get(key);
        SessionRecord known = cached == null ? null : cached.session.stored().record();
        if (cached != null && known == null) { // no other server knows it
            cached.isOwner = true;
            return cached.session.life().enter(sessions.now()) ? cached.session : null;
        }
        long before = ownership.invalidations();
        SessionRecord record = claimed(known == null ? store.read(key) : store.readIfNewer(known), key);
        if (record == null) {
            if (cached != null) {
                endedElsewhere(cached);
            }
            return null;
        }
        CachedSession taken = cached == null ? new CachedSession(LiveSession.of(sessions, record)) : cached;
        taken.session.refresh(record);
        taken.notified = notified(record, key) ? Long.valueOf(ownership.now()) : taken.notified;
        if (!taken.session.life().enter(sessions.now())) {
            return null; // expired: the server that takes it notifies the listeners
        }
        taken.isOwner = true;
        here.put(key, taken);
        if (ownership.invalidations() != before) {
            taken.isOwner = false; // one of them may have been about this session
        }
        return taken.session;
    }

    /** Notes in the record that the session belongs to this server. */
    private @Nullable SessionRecord claimed(@Nullable SessionRecord found, String key) throws IOException {
        SessionRecord record = found;
        RetryBackoff attempts = new RetryBackoff();
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
        throw new IOException(
                "the session could not be taken over: concurrent writes by other servers, retries exhausted");
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
        return known.subList(Math.max(0, known.size() - MAX_OTHERS), known.size());
    }

    private static String text(byte @Nullable [] note) {
        return note == null ? "" : new String(note, UTF_8);
    }

    /** Invalidates the copies of other servers that may have the session in memory; false if there are none. */
    private boolean notified(SessionRecord record, String key) throws IOException {
        List<String> others = others(record);
        for (String other : others) {
            ownership.invalidateOn(other, key);
        }
        return !others.isEmpty();
    }

    @Override
    public boolean touch(String key) {
        CachedSession cached = here.get(key);
        if (cached == null || !cached.session.life().touch(sessions.now())) {
            return false;
        }
        touchIfDue(cached);
        return cached.isOwner;
    }

    private void touchIfDue(CachedSession cached) {
        LiveSession session = cached.session;
        SessionRecord record = session.stored().record();
        long used = session.life().isInUse() ? sessions.now() : session.life().lastUsed();
        if (record != null && used - record.lastAccessed() >= session.life().partOfTimeout(TOUCH_MILLIS)) {
            changed.add(session.key(), cached);
        }
    }

    // ---- a request ends

    /** A login or log-out is written at once; if that fails, it has not happened: a log-out ends the session then. */
    @Override
    public void leave(LiveSession session) {
        CachedSession cached = cached(session);
        boolean loggedOut = session.loginNote().isRemoved();
        IOException lost = null;
        try {
            if (session.life().isAlive() && session.loginNote().isChanged()) {
                write(cached);
                awaitOthers(loggedOut ? cached.notified : null);
            }
        } catch (IOException e) {
            lost = e;
            store.requestFailed(e);
            if (loggedOut) {
                store.bury(session.key());
                endedElsewhere(cached);
            } else {
                session.loginNote().revert(session.stored().record());
            }
        } finally {
            cached.unwritten.incrementAndGet(); // before the sweep may take it for unused
            session.life().leave(sessions.now());
            if (session.life().isAlive()) {
                changed.add(session.key(), cached);
            }
        }
        if (lost != null) {
            throw new SessionUnavailableException("the session's login cannot be stored: " + lost.getMessage(), lost);
        }
    }

    private CachedSession cached(LiveSession session) {
        CachedSession cached = here.get(session.key());
        if (cached != null && cached.session.equals(session)) {
            return cached;
        }
        CachedSession left = new CachedSession(session);
        left.isOwner = false;
        return left;
    }

    private void awaitOthers(@Nullable Long notified) {
        if (notified != null) {
            ownership.await(notified);
        }
    }

    /** Writes what has changed, unless the session has ended or been written under a new key. */
    private void write(CachedSession cached) throws IOException {
        String key = cached.session.key();
        store.exclusively(key, () -> {
            if (cached.session.life().isAlive() && key.equals(cached.session.key())) {
                int unwritten = cached.unwritten.get();
                sessions.inContext(() -> {
                    written(
                            cached,
                            writer.write(cached.session, cached.session.life().partOfTimeout(TOUCH_MILLIS)));
                    return true;
                });
                cached.unwritten.addAndGet(-unwritten);
            }
            return true;
        });
    }

    private void written(CachedSession cached, @Nullable SessionRecord now) throws IOException {
        if (now == null) {
            here.remove(cached.session.key(), cached);
        } else if (!self.equals(owner(now))) {
            cached.isOwner = false;
            if (notified(now, cached.session.key())) {
                cached.notified = ownership.now();
            }
        }
    }

    private void endedElsewhere(CachedSession cached) {
        SessionWriter.endedElsewhere(cached.session);
        here.remove(cached.session.key(), cached);
    }

    // ---- new ids, and the end

    @Override
    public void rename(LiveSession session, String newKey) {
        String old = session.key();
        try {
            store.exclusively(old, () -> {
                rename(cached(session), old, newKey);
                return true;
            });
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be written: " + e.getMessage(), e);
        }
    }

    /** Writes the session under its new key, then ends the old one, which is not valid any more. */
    private void rename(CachedSession cached, String old, String newKey) throws IOException {
        LiveSession session = cached.session;
        SessionRecord before = session.stored().record();
        Long notified = cached.notified;
        int logins = session.loginNote().changes();
        SessionRecord record = writer.asNew(session).withKey(newKey).withLastAccessed(sessions.now());
        store.write(record);
        session.key(newKey);
        cached.isOwner = true; // no other server knows the new key
        cached.notified = null;
        here.put(newKey, cached);
        here.remove(old, cached);
        SessionWriter.written(session, record, logins);
        boolean ended = false;
        try {
            if (before != null && !end(old, before, notified)) { // another server has ended it
                store.remove(newKey);
                endedElsewhere(cached(session));
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
        CachedSession cached = cached(session);
        here.remove(key, cached);
        try {
            return Boolean.TRUE.equals(store.exclusively(key, () -> {
                SessionRecord stored = session.stored().record();
                return stored == null || end(key, stored, cached.notified);
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
     * which servers to notify.
     *
     * @param notified when invalidations were sent to other servers; null if there are none
     * @return false if another server has ended it
     */
    private boolean end(String key, SessionRecord stored, @Nullable Long notified) throws IOException {
        SessionRecord base = stored;
        RetryBackoff attempts = new RetryBackoff();
        do {
            if (base == null || SessionWriter.isEnded(base)) {
                return false;
            }
            if (store.write(SessionWriter.ended(base), base)) {
                Long last = notified;
                if (!self.equals(owner(base)) && notified(base, key)) {
                    last = ownership.now();
                }
                store.remove(key);
                awaitOthers(last);
                return true;
            }
            attempts.pause();
            base = store.read(key);
        } while (attempts.mayContinue());
        throw new IOException("the session could not be ended: concurrent writes by other servers, retries exhausted");
    }

    @Override
    public void ended(LiveSession session) {
        here.remove(session.key(), cached(session));
    }

    // ---- time

    @Override
    public void sweep() {
        reportWaiting();
        reportingFailures(ownership::poll); // invalidations expire
        if (store.isOpen()) {
            return;
        }
        for (CachedSession cached : here.values()) {
            reportingFailures(() -> sweep(cached));
        }
        if (sessions.now() - swept >= PERIOD_MILLIS) {
            swept = sessions.now();
            reportingFailures(this::takeExpired);
            reportingFailures(this::sweepHandovers);
        }
    }

    private void sweepHandovers() throws IOException {
        if (ownership.sweep()) {
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

    private void sweep(CachedSession cached) throws IOException {
        LiveSession session = cached.session;
        if (!session.life().isAlive()) {
            here.remove(session.key(), cached);
        } else if (session.life().isExpired(sessions.now())) {
            if (Boolean.TRUE.equals(store.exclusively(session.key(), () -> isExpired(cached)))
                    && session.life().expire(sessions.now())) {
                sessions.end(session);
            }
        } else if (cached.isOwner || session.life().isInUse() || cached.unwritten.get() > 0) {
            touchIfDue(cached);
        } else {
            store.exclusively(session.key(), () -> drop(cached));
        }
    }

    /** Whether no other server has used or ended the session, which has expired here. */
    private boolean isExpired(CachedSession cached) throws IOException {
        if (cached.session.stored().record() == null) {
            return true;
        }
        SessionRecord now = store.read(cached.session.key());
        if (now == null || SessionWriter.isEnded(now)) {
            endedElsewhere(cached);
            return false;
        }
        if (now.expires() > sessions.now()) {
            drop(cached);
            return false;
        }
        return true;
    }

    /**
     * Takes a session out of memory, unless a request uses it, or has changed what is not in the store. Nobody else uses the key
     * meanwhile: a request that takes the session over would take it for ended.
     */
    private boolean drop(CachedSession cached) {
        SessionLife life = cached.session.life();
        boolean dropped = cached.unwritten.get() == 0
                && life.park(sessions.now(), 0)
                && cached.unwritten.get() == 0 // by a request that has come and gone
                && life.parked();
        if (dropped) {
            cached.session.membership().leave();
            here.remove(cached.session.key(), cached);
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
        CachedSession cached = here.get(record.key());
        LiveSession session = cached == null ? LiveSession.of(sessions, record) : cached.session;
        if (cached != null && !session.life().isExpired(sessions.now())) { // it was used while the store did not answer
            session.stored().set(null);
            changed.add(record.key(), cached);
        } else if (session.life().invalidate()) {
            sessions.notifyEnd(session);
        }
    }

    /** Writes what is waiting, and what requests that are running have changed. */
    @Override
    public void stop() {
        Map<String, CachedSession> rest = new HashMap<>(changed.stop());
        here.forEach((key, cached) -> {
            if (cached.session.life().isInUse()) {
                rest.put(key, cached);
            }
        });
        int lost = 0;
        Throwable first = null;
        try {
            for (CachedSession cached : rest.values()) {
                try {
                    write(cached);
                } catch (IOException | RuntimeException | Error e) {
                    lost++;
                    first = first == null ? e : first;
                }
            }
            if (first != null) {
                SessionLog.LOG.notReplicatedAtStop(Plural.of(lost, "session"), sessions.application(), first);
            }
            for (CachedSession cached : here.values()) {
                cached.session.attributes().passivate();
                cached.session.membership().leave();
            }
        } finally {
            here.clear();
        }
    }

    @Override
    public Collection<LiveSession> live() {
        return here.values().stream().map(cached -> cached.session).toList();
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
