package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.SessionGroup;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of each endpoint of a client (JSR 356, {@code Session.getOpenSessions}): an endpoint is an object, whatever its
 * {@code equals} says, and may be connected more than once. Keeps none from the garbage collector. Any thread.
 */
final class ClientGroups {

    private static final Map<Key, SessionGroup> GROUPS = new HashMap<>();
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

    private ClientGroups() {}

    /** An endpoint by its identity. */
    private static final class Key extends WeakReference<Object> {

        private final int hash;

        Key(Object endpoint) {
            super(endpoint, GONE);
            hash = System.identityHashCode(endpoint);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** One whose endpoint is gone equals itself alone, so that it can be removed. */
        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object mine = get();
            return mine != null && other instanceof Key key && key.refersTo(mine);
        }
    }

    static SessionGroup of(Object endpoint) {
        synchronized (GROUPS) {
            for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
                GROUPS.remove(gone);
            }
            return GROUPS.computeIfAbsent(new Key(endpoint), unknown -> new SessionGroup());
        }
    }
}
