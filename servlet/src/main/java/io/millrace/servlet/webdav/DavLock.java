package io.millrace.servlet.webdav;

import org.jspecify.annotations.Nullable;

/**
 * A write lock (RFC 4918, 6).
 *
 * @param token a URN that cannot be guessed
 * @param deep does it lock the members of its collection, and theirs, too?
 * @param owner the element that the client sent, as text; empty if it sent none
 * @param user who was logged in when it was made; null: nobody
 * @param seconds for how long it was granted
 * @param expires the clock's time, in nanoseconds
 */
record DavLock(
        String token,
        String path,
        boolean deep,
        boolean exclusive,
        String owner,
        @Nullable String user,
        long seconds,
        long expires) {

    boolean covers(String other) {
        return deep ? DavPath.isWithin(other, path) : other.equals(path);
    }

    /** May this user, null for nobody in particular, use the token (RFC 4918, 6.4)? */
    boolean isOf(@Nullable String caller) {
        return user == null || user.equals(caller);
    }
}
