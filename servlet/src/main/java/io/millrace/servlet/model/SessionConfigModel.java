package io.millrace.servlet.model;

import java.util.EnumSet;
import java.util.Set;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** session-config. */
public final class SessionConfigModel {

    /** Minutes; 0 or less: never. */
    public int timeoutMinutes = 30;
    /** Whether a descriptor says it. */
    public boolean timeoutSaid;

    public @Nullable String cookieName;
    public @Nullable String cookieDomain;
    public @Nullable String cookiePath;
    public @Nullable String cookieComment;
    /** Null: not said. */
    public @Nullable Boolean cookieHttpOnly;

    public boolean cookieSecure;
    /** Seconds; -1: until the browser ends. */
    public int cookieMaxAge = -1;

    public final Set<SessionTrackingMode> trackingModes = EnumSet.noneOf(SessionTrackingMode.class);
}
