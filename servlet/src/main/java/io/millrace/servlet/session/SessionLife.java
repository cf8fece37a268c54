package io.millrace.servlet.session;

/**
 * Whether a session lives, who uses it and since when nobody does. Its lock is held for these few lines only, never while
 * an application's listener runs.
 *
 * <pre>
 * state    event                                  to
 * ALIVE    invalidate, or idle for too long       ENDING   the one caller told "true" informs the listeners
 * ENDING   end                                    ENDED    the attributes are gone
 * </pre>
 *
 * While it is ENDING the session answers like a live one, for its listeners are told before it goes (Servlet 3.1, 7.5 and
 * SRV.15.1.14), but no request finds it any more.
 */
final class SessionLife {

    private enum State {
        ALIVE,
        ENDING,
        ENDED
    }

    private final long created;
    private State state = State.ALIVE;
    private int users;
    private long lastAccessed;
    private long thisAccessed;
    private long idleSince;
    private int maxIdleSeconds;
    private boolean joined;

    /** Alive, used by the request that made it. */
    SessionLife(long now, int maxIdleSeconds) {
        created = now;
        lastAccessed = now;
        thisAccessed = now;
        idleSince = now;
        users = 1;
        this.maxIdleSeconds = maxIdleSeconds;
    }

    /** A request that brought the session's id begins to use it; false if it is too late. */
    synchronized boolean enter(long now) {
        if (state != State.ALIVE || isIdleTooLong(now)) {
            return false;
        }
        users++;
        joined = true;
        lastAccessed = thisAccessed;
        thisAccessed = now;
        return true;
    }

    synchronized void leave(long now) {
        users--;
        idleSince = now;
    }

    /** True for the one caller who is to end it. */
    synchronized boolean invalidate() {
        boolean mine = state == State.ALIVE;
        if (mine) {
            state = State.ENDING;
        }
        return mine;
    }

    /** The same if nobody has used it for too long. */
    synchronized boolean expire(long now) {
        return isIdleTooLong(now) && invalidate();
    }

    synchronized void end() {
        state = State.ENDED;
    }

    synchronized boolean isAlive() {
        return state == State.ALIVE;
    }

    synchronized boolean isEnded() {
        return state == State.ENDED;
    }

    /** True until the client has come back with the id. */
    synchronized boolean isNew() {
        return !joined;
    }

    long created() {
        return created;
    }

    /** When the request before this one came. */
    synchronized long lastAccessed() {
        return lastAccessed;
    }

    synchronized int maxIdleSeconds() {
        return maxIdleSeconds;
    }

    synchronized void maxIdleSeconds(int seconds) {
        maxIdleSeconds = seconds;
    }

    private boolean isIdleTooLong(long now) {
        return users == 0 && maxIdleSeconds > 0 && now - idleSince >= maxIdleSeconds * 1000L;
    }
}
