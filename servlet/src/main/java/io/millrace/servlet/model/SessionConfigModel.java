package io.millrace.servlet.model;

import java.util.EnumSet;
import java.util.Set;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** session-config. Not thread-safe. */
public final class SessionConfigModel {

    /** Idle timeout of sessions in minutes; 0 or less: sessions do not expire. */
    public int timeoutMinutes = 30;
    /** Whether a descriptor sets the timeout. */
    public boolean timeoutSaid;

    public @Nullable String cookieName;
    public @Nullable String cookieDomain;
    public @Nullable String cookiePath;
    public @Nullable String cookieComment;
    /** Null if no descriptor sets it. */
    public @Nullable Boolean cookieHttpOnly;

    public boolean cookieSecure;
    /** Seconds; -1: until the browser is closed. */
    public int cookieMaxAge = -1;

    public final Set<SessionTrackingMode> trackingModes = EnumSet.noneOf(SessionTrackingMode.class);
}
