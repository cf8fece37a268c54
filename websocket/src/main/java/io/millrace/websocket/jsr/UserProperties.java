package io.millrace.websocket.jsr;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user properties of one session, or one handshake: those of its endpoint's configuration, copied when they are first asked
 * for, so that what one handshake puts in is not seen by another. Any thread.
 */
public final class UserProperties {

    private final Map<String, Object> shared;
    private volatile @Nullable Map<String, Object> own;

    /** @param shared of the configuration that the endpoint was deployed with */
    public UserProperties(Map<String, Object> shared) {
        this.shared = shared;
    }

    /** The session's own, which may be changed. */
    public Map<String, Object> map() {
        Map<String, Object> known = own;
        return known != null ? known : copied();
    }

    private synchronized Map<String, Object> copied() {
        Map<String, Object> made = own;
        if (made == null) {
            made = Collections.synchronizedMap(new HashMap<>(shared)); // which takes null, as applications put it
            own = made;
        }
        return made;
    }

    /** One of them; null if it is not set. Copies nothing. */
    @Nullable
    Object get(String name) {
        Map<String, Object> known = own;
        return (known == null ? shared : known).get(name);
    }
}
