package io.millrace.websocket.jsr;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user properties of one session or handshake: those of its endpoint's configuration, copy on first access, so that
 * handshakes do not see each other's values. Thread-safe.
 */
public final class UserProperties {

    private final Map<String, Object> shared;
    private volatile @Nullable Map<String, Object> own;

    /** @param shared those of the configuration with which the endpoint was deployed */
    public UserProperties(Map<String, Object> shared) {
        this.shared = shared;
    }

    /** The session's own properties, which are mutable. */
    public Map<String, Object> map() {
        Map<String, Object> known = own;
        return known != null ? known : copy();
    }

    private synchronized Map<String, Object> copy() {
        Map<String, Object> made = own;
        if (made == null) {
            made = Collections.synchronizedMap(
                    new HashMap<>(shared)); // which permits null values, as applications use them
            own = made;
        }
        return made;
    }

    /** A property; null if it is not set. Does not copy the map. */
    @Nullable
    Object get(String name) {
        Map<String, Object> known = own;
        return (known == null ? shared : known).get(name);
    }
}
