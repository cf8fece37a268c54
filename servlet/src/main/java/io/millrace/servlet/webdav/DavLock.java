package io.millrace.servlet.webdav;

import org.jspecify.annotations.Nullable;

/**
 * A write lock (RFC 4918, 6).
 *
 * @param token an unguessable URN
 * @param deep true for depth infinity: also locks all members of the collection
 * @param owner the element that the client sent, as text; empty if it sent none
 * @param user the user who created it; null if nobody was logged in
 * @param seconds the granted timeout
 * @param expires the time of expiry by the table's clock, in nanoseconds
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

    /** Whether this user may use the token (RFC 4918, 6.4); null for an anonymous user. */
    boolean isOf(@Nullable String caller) {
        return user == null || user.equals(caller);
    }
}
