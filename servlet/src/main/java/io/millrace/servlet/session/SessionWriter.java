package io.millrace.servlet.session;

import io.millrace.servlet.session.LiveSession.LoginNote;
import io.millrace.servlet.session.SessionAttributes.Changes;
import io.millrace.servlet.session.store.RetryBackoff;
import io.millrace.servlet.session.store.SessionRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what this server has changed of a session to a store that other servers write too, by compare and set on a version.
 * Changes to different attributes are merged; of the same attribute, the last write wins. Thread-safe for different sessions.
 */
final class SessionWriter {

    /** A note in a session that is being removed. */
    private static final String ENDED = "ended";

    private final Sessions sessions;
    private final StoreGuard store;
    private final Map<String, byte[]> notesOfNew;

    /** @param notesOfNew what is noted in sessions that this server creates */
    SessionWriter(Sessions sessions, StoreGuard store, Map<String, byte[]> notesOfNew) {
        this.sessions = sessions;
        this.store = store;
        this.notesOfNew = notesOfNew;
    }

    /**
     * Writes the session's changes. The session ends if another server has ended it.
     *
     * @param touchMillis an unchanged session is touched if it was last accessed so long after what the store knows
     * @return what the store has now; null if another server has ended the session
     */
    @Nullable
    SessionRecord write(LiveSession session, long touchMillis) throws IOException {
        if (session.stored().record() == null && create(session)) {
            return session.stored().record();
        }
        return update(session, touchMillis);
    }

    private boolean create(LiveSession session) throws IOException {
        int changes = session.loginNote().changes();
        SessionRecord record = asNew(session).withLastAccessed(used(session));
        boolean created = store.write(record); // or another request of this server has created it
        if (created) {
            written(session, record, changes);
        }
        return created;
    }

    /** Everything that can be stored, as it is created. */
    SessionRecord asNew(LiveSession session) {
        SessionRecord record = session.toRecord(0);
        Map<String, byte[]> notes = new HashMap<>(notesOfNew);
        notes.putAll(record.notes());
        return record.withNotes(notes);
    }

    @SuppressWarnings("ReferenceEquality") // another record, of another server
    private @Nullable SessionRecord update(LiveSession session, long touchMillis) throws IOException {
        SessionRecord begun = session.stored().record();
        int logins = session.loginNote().changes();
        int idle = session.life().maxIdleSeconds();
        Map<String, byte[]> known = begun == null ? Map.of() : begun.attributes();
        Changes changes =
                session.attributes().changesSince(known, () -> session.life().isInUse());
        SessionRecord base = begun;
        RetryBackoff attempts = new RetryBackoff();
        do {
            if (base != null) {
                SessionRecord next = changed(session, begun, base, changes, idle);
                if (next == null) {
                    return touch(session, base, touchMillis);
                }
                if (store.write(next, base)) {
                    written(session, changes.in(known), idle, next, logins);
                    if (base != begun) {
                        session.loginNote().refresh(next);
                    }
                    return session.stored().record();
                }
                attempts.pause();
            }
            base = store.read(session.key());
            if (base == null || isEnded(base)) {
                endedElsewhere(session);
                return null;
            }
        } while (attempts.mayContinue());
        throw new IOException(
                "the session could not be written: concurrent writes by other servers, retries exhausted");
    }

    /** If it fails, nothing is lost that the client has been told. */
    private @Nullable SessionRecord touch(LiveSession session, SessionRecord stored, long touchMillis) {
        if (used(session) - stored.lastAccessed() < touchMillis) {
            return stored;
        }
        try {
            return touchStored(session, stored);
        } catch (IOException e) {
            store.failed(e);
            return stored;
        }
    }

    private @Nullable SessionRecord touchStored(LiveSession session, SessionRecord known) throws IOException {
        long used = used(session);
        if (store.touch(session.key(), used)) {
            session.stored().set(known.withLastAccessed(used));
            return known;
        }
        SessionRecord stored = store.read(session.key());
        if (stored == null || isEnded(stored)) {
            endedElsewhere(session);
            return null;
        }
        store.write(stored.withLastAccessed(used), stored); // the request took longer than the timeout: it was in use
        return stored;
    }

    private long used(LiveSession session) {
        return session.life().isInUse() ? sessions.now() : session.life().lastUsed();
    }

    /** Takes over the written record, which has nothing by other servers. */
    static void written(LiveSession session, SessionRecord record, int loginChanges) {
        written(session, record.attributes(), record.maxIdleSeconds(), record, loginChanges);
    }

    /** Takes over the written record. What in it is not this server's is by others; what has changed here meanwhile stays. */
    private static void written(
            LiveSession session, Map<String, byte[]> own, int ownIdle, SessionRecord record, int loginChanges) {
        session.refresh(own, ownIdle, record.withVersion(record.version() + 1));
        session.loginNote().written(loginChanges);
    }

    /** The stored record with this server's changes since {@code begun}; null if there are none. */
    private @Nullable SessionRecord changed(
            LiveSession session, @Nullable SessionRecord begun, SessionRecord stored, Changes changes, int idle) {
        boolean login = session.loginNote().isChanged();
        boolean idleChanged = begun == null || begun.maxIdleSeconds() != idle;
        if (changes.isEmpty() && !login && !idleChanged) {
            return null;
        }
        Map<String, byte[]> notes = new HashMap<>(stored.notes());
        if (login) {
            notes.remove(LoginNote.NAME);
            notes.putAll(session.loginNote().frozen());
        }
        return new SessionRecord(
                stored.key(),
                stored.version(),
                stored.created(),
                Math.max(used(session), stored.lastAccessed()),
                idleChanged ? idle : stored.maxIdleSeconds(),
                changes.in(stored.attributes()),
                notes);
    }

    /** Another server has ended it and notified its listeners: this request's changes are lost. */
    static void endedElsewhere(LiveSession session) {
        if (session.life().invalidate()) {
            session.life().end();
        }
    }

    /** Whether it is being removed. */
    static boolean isEnded(SessionRecord record) {
        return record.notes().containsKey(ENDED);
    }

    /** The record of a session that is to be removed next: nothing is merged into it. */
    static SessionRecord ended(SessionRecord record) {
        Map<String, byte[]> notes = new HashMap<>(record.notes());
        notes.put(ENDED, new byte[0]);
        return record.withNotes(notes);
    }
}
