package io.millrace.servlet.session;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a session; changes are reported to the listeners. A value is the application's object, or a {@link
 * SerializedAttribute} if it was read from or written to a store. Thread-safe.
 */
final class SessionAttributes {

    private final Map<String, Object> values = new ConcurrentHashMap<>(4);
    private final HttpSession session;
    private final SessionListeners listeners;
    private final SessionCodec codec;
    private final boolean shared;

    /**
     * Creates an empty map.
     *
     * @param shared true if other servers may change the attributes too: the stored bytes are kept, to detect changes
     */
    SessionAttributes(HttpSession session, SessionListeners listeners, SessionCodec codec, boolean shared) {
        this.session = session;
        this.listeners = listeners;
        this.codec = codec;
        this.shared = shared;
    }

    /** @throws SessionUnavailableException if other servers have a class that this one lacks: it must not take the value for absent */
    @Nullable
    Object get(String name) {
        Object value = values.get(name);
        if (!(value instanceof SerializedAttribute frozen)) {
            return value;
        }
        Object thawed = thaw(name, frozen);
        String missing = frozen.missingClass();
        if (shared && missing != null) {
            throw new SessionUnavailableException(
                    "the session attribute \"" + name + "\" was stored by another server with the class " + missing
                            + ", which this application does not have",
                    new IOException("class not found: " + missing));
        }
        return thawed;
    }

    private @Nullable Object thaw(String name, SerializedAttribute frozen) {
        Object value = frozen.thaw(codec, name, thawed -> listeners.activated(session, thawed));
        if (value != null && !shared) {
            values.replace(name, frozen, value);
        }
        return value;
    }

    List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** Notifies the value before it is visible (HttpSessionBindingListener.valueBound). */
    @SuppressWarnings("ReferenceEquality") // the same object set again is not unbound and bound
    void set(String name, Object value) {
        Object there = values.get(name);
        Object before = there instanceof SerializedAttribute frozen ? thaw(name, frozen) : there;
        if (before != value) {
            listeners.bound(session, name, value);
        }
        Object put = values.put(name, value);
        Object old = put instanceof SerializedAttribute frozen ? thaw(name, frozen) : put;
        if (old == null) {
            listeners.attributeAdded(session, name, value);
            return;
        }
        if (old != value) {
            listeners.unbound(session, name, old);
        }
        listeners.attributeReplaced(session, name, old);
    }

    void remove(String name) {
        Object removed = values.remove(name);
        Object old = removed instanceof SerializedAttribute frozen ? thaw(name, frozen) : removed;
        if (old != null) {
            listeners.unbound(session, name, old);
            listeners.attributeRemoved(session, name, old);
        }
    }

    void clear() {
        names().forEach(this::remove);
    }

    /**
     * Takes over what other servers have changed. What the application has set, changed or removed here meanwhile stays.
     *
     * @param known what this server last knew to be stored
     * @param next what is stored now
     */
    void refresh(Map<String, byte[]> known, Map<String, byte[]> next) {
        Set<String> names = new HashSet<>(known.keySet());
        names.addAll(next.keySet());
        for (String name : names) {
            byte[] before = known.get(name);
            byte[] now = next.get(name);
            if (!Arrays.equals(before, now)) {
                refresh(name, before, now);
            }
        }
    }

    private void refresh(String name, byte @Nullable [] before, byte @Nullable [] now) {
        Object here = values.get(name);
        if (here == null) {
            if (before == null && now != null) {
                values.putIfAbsent(name, new SerializedAttribute(now));
            }
        } else if (here instanceof SerializedAttribute frozen
                && Arrays.equals(frozen.bytes(), before)
                && !isChanged(name, frozen)) {
            if (now == null) {
                values.remove(name, frozen);
            } else {
                values.replace(name, frozen, new SerializedAttribute(now));
            }
        }
    }

    /** Whether the application has changed the object, perhaps without calling setAttribute. */
    private boolean isChanged(String name, SerializedAttribute frozen) {
        Object known = frozen.known();
        byte[] bytes = known == null || !frozen.isUsed() ? null : codec.freeze(name, known);
        return bytes != null && !Arrays.equals(bytes, frozen.bytes());
    }

    /** Notifies the values that listen for passivation. */
    void passivate() {
        values.forEach((name, value) -> {
            Object known = value instanceof SerializedAttribute frozen ? frozen.known() : value;
            if (known != null) {
                listeners.passivating(session, known);
            }
        });
    }

    /** The serialized attributes, without those that cannot be serialized or are filtered. */
    Map<String, byte[]> frozen() {
        Map<String, byte[]> all = new HashMap<>();
        values.forEach((name, value) -> {
            byte[] bytes = bytes(name, value, () -> true);
            if (bytes != null) {
                all.put(name, bytes);
            }
        });
        return all;
    }

    /**
     * The changes since a stored version, by comparing bytes: applications need not call setAttribute for a changed object. Those
     * that were not looked at since the last call are not serialized again.
     *
     * @param inUse asked whether a request that may hold objects of the session is running
     */
    Changes changesSince(Map<String, byte[]> stored, BooleanSupplier inUse) {
        Map<String, byte[]> set = new HashMap<>();
        values.forEach((name, value) -> {
            byte[] bytes = bytes(name, value, inUse);
            if (bytes != null && !Arrays.equals(bytes, stored.get(name))) {
                set.put(name, bytes);
            }
            boolean asKnown = value instanceof SerializedAttribute frozen && Arrays.equals(frozen.bytes(), bytes);
            if (bytes != null && !asKnown) {
                replace(name, value, new SerializedAttribute(bytes, known(value)));
            }
        });
        Set<String> removed = new HashSet<>(stored.keySet());
        removed.removeAll(values.keySet());
        return new Changes(set, removed);
    }

    /** Not ConcurrentMap.replace: an object that the application has set meanwhile may be equal, but have another state. */
    @SuppressWarnings("ReferenceEquality")
    private void replace(String name, Object old, SerializedAttribute frozen) {
        values.computeIfPresent(name, (same, here) -> here == old ? frozen : here);
    }

    private static Object known(Object value) {
        Object known = value instanceof SerializedAttribute frozen ? frozen.known() : value;
        return known == null ? value : known;
    }

    private byte @Nullable [] bytes(String name, Object value, BooleanSupplier inUse) {
        if (!(value instanceof SerializedAttribute frozen)) {
            return codec.freeze(name, value);
        }
        Object known = frozen.known();
        if (known == null) {
            return frozen.bytes();
        }
        boolean wasUsed = frozen.takeUsed();
        if (inUse.getAsBoolean()) { // asked afterwards: who has left by now has made all changes
            frozen.use();
        }
        byte[] now = wasUsed ? codec.freeze(name, known) : null;
        return now == null ? frozen.bytes() : now;
    }

    /** The changes that a request made to the attributes. */
    record Changes(Map<String, byte[]> set, Set<String> removed) {

        boolean isEmpty() {
            return set.isEmpty() && removed.isEmpty();
        }

        Map<String, byte[]> in(Map<String, byte[]> stored) {
            Map<String, byte[]> merged = new HashMap<>(stored);
            merged.putAll(set);
            merged.keySet().removeAll(removed);
            return merged;
        }
    }
}
