package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.SessionGroup;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of each client endpoint (JSR 356, {@code Session.getOpenSessions}). Endpoints are compared by identity, and may
 * be connected more than once; they are weakly referenced. Thread-safe.
 */
final class ClientGroups {

    private static final Map<Key, SessionGroup> GROUPS = new HashMap<>();
    private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

    private ClientGroups() {}

    /** An endpoint by its identity. */
    private static final class Key extends WeakReference<Object> {

        private final int hash;

        Key(Object endpoint) {
            super(endpoint, COLLECTED);
            hash = System.identityHashCode(endpoint);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** A key whose endpoint was collected equals only itself, so that it can be removed. */
        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object endpoint = get();
            return endpoint != null && other instanceof Key key && key.refersTo(endpoint);
        }
    }

    static SessionGroup of(Object endpoint) {
        synchronized (GROUPS) {
            for (Reference<?> collected = COLLECTED.poll(); collected != null; collected = COLLECTED.poll()) {
                GROUPS.remove(collected);
            }
            return GROUPS.computeIfAbsent(new Key(endpoint), unknown -> new SessionGroup());
        }
    }
}
