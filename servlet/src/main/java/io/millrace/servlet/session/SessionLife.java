package io.millrace.servlet.session;

import io.millrace.servlet.session.SessionState.Event;

/**
 * The state of a session, the number of requests that use it, and its times of access. Its lock is never held while a listener
 * of the application runs. Times are milliseconds since 1970. Thread-safe.
 */
final class SessionLife {

    private static final long MILLIS = 1000;

    /** An access that a store knows this part of the timeout too late makes no difference. */
    private static final int TOLERATED_PART = 10;

    private final long created;
    private SessionState state = SessionState.ALIVE;
    private int users;
    private long lastAccessed;
    /** When the last request with the session's id began, whether it used the session or not. */
    private long touched;

    private int maxIdleSeconds;
    private boolean joined;

    private SessionLife(long created, long lastAccessed, int maxIdleSeconds, boolean joined) {
        this.created = created;
        this.lastAccessed = lastAccessed;
        this.touched = lastAccessed;
        this.maxIdleSeconds = maxIdleSeconds;
        this.joined = joined;
    }

    /** A new session, in use by the request that created it. */
    static SessionLife begun(long now, int maxIdleSeconds) {
        SessionLife life = new SessionLife(now, now, maxIdleSeconds, false);
        life.users = 1;
        return life;
    }

    /** A session from a store: not in use, and known to a client. */
    static SessionLife resumed(long created, long lastAccessed, int maxIdleSeconds) {
        return new SessionLife(created, lastAccessed, maxIdleSeconds, true);
    }

    /** Begins the use of the session by a request with its id; false if it has ended or expired. */
    synchronized boolean enter(long now) {
        if (isIdleTooLong(now) || !step(Event.ENTER)) {
            return false;
        }
        users++;
        joined = true;
        return true;
    }

    /**
     * Records the start of a request with the session's id, which may not use it (Servlet 3.1, 7.6); false if it has ended or
     * expired.
     */
    synchronized boolean touch(long now) {
        if (isIdleTooLong(now) || !step(Event.ENTER)) {
            return false;
        }
        lastAccessed = Math.max(lastAccessed, touched);
        touched = Math.max(touched, now);
        joined = true;
        return true;
    }

    /** Ends the use by a request; true if no request uses the session any longer. */
    synchronized boolean leave(long now) {
        users--;
        lastAccessed = Math.max(lastAccessed, now);
        return users == 0;
    }

    /** Records a use by another server, and the timeout that it has set, unless this one has set another than what was known. */
    synchronized void usedElsewhere(long time, int knownMaxIdleSeconds, int newMaxIdleSeconds) {
        lastAccessed = Math.max(lastAccessed, time);
        if (maxIdleSeconds == knownMaxIdleSeconds) {
            maxIdleSeconds = newMaxIdleSeconds;
        }
    }

    /** True for one caller, who must end the session. */
    synchronized boolean invalidate() {
        return step(Event.END);
    }

    /** As {@link #invalidate}, if the session has been idle for longer than its timeout. */
    synchronized boolean expire(long now) {
        return isIdleTooLong(now) && step(Event.END);
    }

    /** Whether the session has been idle for longer than its timeout. */
    synchronized boolean isExpired(long now) {
        return isIdleTooLong(now);
    }

    /** Whether the session has been idle for this time: then the caller must write it to a store and call {@link #parked}. */
    synchronized boolean park(long now, long idleMillis) {
        return users == 0 && now - lastUsed() >= idleMillis && step(Event.PARK);
    }

    /** Completes parking; false if the session was used meanwhile. */
    synchronized boolean parked() {
        return step(Event.PARKED);
    }

    /** Cancels parking, as the session could not be written. */
    synchronized void unpark() {
        step(Event.ENTER);
    }

    synchronized void end() {
        step(Event.ENDED);
    }

    synchronized SessionState state() {
        return state;
    }

    synchronized boolean isAlive() {
        return state.isAlive();
    }

    synchronized boolean isUsable() {
        return state.isUsable();
    }

    synchronized boolean isInUse() {
        return users > 0;
    }

    /** True until the client has sent the id. */
    synchronized boolean isNew() {
        return !joined;
    }

    long created() {
        return created;
    }

    /** The start of the idle time. */
    synchronized long lastUsed() {
        return Math.max(lastAccessed, touched);
    }

    /**
     * The end of the previous request, or the creation time; Tomcat's default, so that a long request does not count as idle
     * time.
     */
    synchronized long lastAccessed() {
        return lastAccessed;
    }

    synchronized int maxIdleSeconds() {
        return maxIdleSeconds;
    }

    synchronized void maxIdleSeconds(int seconds) {
        maxIdleSeconds = seconds;
    }

    /** How inexact the time of an access may be: so many milliseconds, or a tenth of the timeout if that is less. */
    synchronized long partOfTimeout(long most) {
        return maxIdleSeconds <= 0 ? most : Math.min(most, maxIdleSeconds * MILLIS / TOLERATED_PART);
    }

    private boolean isIdleTooLong(long now) {
        return users == 0 && maxIdleSeconds > 0 && now - lastUsed() >= maxIdleSeconds * MILLIS;
    }

    private boolean step(Event event) {
        SessionState next = SessionState.next(state, event);
        if (next == null) {
            return false;
        }
        state = next;
        return true;
    }
}
