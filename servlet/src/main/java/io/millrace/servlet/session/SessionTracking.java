package io.millrace.servlet.session;

import java.util.EnumSet;
import java.util.Set;
import javax.servlet.SessionTrackingMode;

/** How clients carry session ids. Set while the application starts, then read by any thread. */
final class SessionTracking {

    private static final Set<SessionTrackingMode> COOKIE_AND_URL =
            Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);
    private static final Set<SessionTrackingMode> URL = Set.of(SessionTrackingMode.URL);

    private final Set<SessionTrackingMode> unlessSaid;
    private volatile Set<SessionTrackingMode> modes;

    /**
     * @param said by web.xml; empty: nothing
     * @param cookies false: the operator wants none unless the application says otherwise
     * @throws IllegalArgumentException for a set that makes no sense
     */
    SessionTracking(Set<SessionTrackingMode> said, boolean cookies) {
        unlessSaid = cookies ? COOKIE_AND_URL : URL;
        modes = unlessSaid;
        if (!said.isEmpty()) {
            set(said);
        }
    }

    Set<SessionTrackingMode> unlessSaid() {
        return unlessSaid;
    }

    Set<SessionTrackingMode> modes() {
        return modes;
    }

    boolean by(SessionTrackingMode mode) {
        return modes.contains(mode);
    }

    /**
     * Replaces them; none at all means that no client is recognized.
     *
     * @throws IllegalArgumentException if SSL is not the only one (ServletContext.setSessionTrackingModes)
     */
    void set(Set<SessionTrackingMode> wanted) {
        if (wanted.contains(SessionTrackingMode.SSL) && wanted.size() > 1) {
            throw new IllegalArgumentException(
                    "Session tracking by SSL excludes COOKIE and URL: give SSL alone, or the others without it.");
        }
        modes = wanted.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(wanted));
    }
}
