package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.SessionConfigModel;
import java.util.EnumSet;
import java.util.Set;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** The session-config of one descriptor. Null: not declared. */
public final class SessionDeclaration {

    @Nullable
    Integer timeoutMinutes;

    @Nullable
    String cookieName;

    @Nullable
    String cookieDomain;

    @Nullable
    String cookiePath;

    @Nullable
    String cookieComment;

    @Nullable
    Boolean cookieHttpOnly;

    @Nullable
    Boolean cookieSecure;

    @Nullable
    Integer cookieMaxAge;

    final Set<SessionTrackingMode> trackingModes = EnumSet.noneOf(SessionTrackingMode.class);

    /** Adds what only the weaker source declares. */
    void complete(SessionDeclaration weaker) {
        timeoutMinutes = Overlay.first(timeoutMinutes, weaker.timeoutMinutes);
        cookieName = Overlay.first(cookieName, weaker.cookieName);
        cookieDomain = Overlay.first(cookieDomain, weaker.cookieDomain);
        cookiePath = Overlay.first(cookiePath, weaker.cookiePath);
        cookieComment = Overlay.first(cookieComment, weaker.cookieComment);
        cookieHttpOnly = Overlay.first(cookieHttpOnly, weaker.cookieHttpOnly);
        cookieSecure = Overlay.first(cookieSecure, weaker.cookieSecure);
        cookieMaxAge = Overlay.first(cookieMaxAge, weaker.cookieMaxAge);
        if (trackingModes.isEmpty()) {
            trackingModes.addAll(weaker.trackingModes);
        }
    }

    /** What conflicts with a source of the same precedence and the strongest does not decide; null if nothing does. */
    @Nullable
    String conflict(SessionDeclaration equal, SessionDeclaration strongest) {
        if (strongest.timeoutMinutes == null && Overlay.differ(timeoutMinutes, equal.timeoutMinutes)) {
            return "session-timeout";
        }
        boolean cookie = undecided(strongest.cookieName, cookieName, equal.cookieName)
                || undecided(strongest.cookieDomain, cookieDomain, equal.cookieDomain)
                || undecided(strongest.cookiePath, cookiePath, equal.cookiePath)
                || undecided(strongest.cookieComment, cookieComment, equal.cookieComment)
                || undecided(strongest.cookieHttpOnly, cookieHttpOnly, equal.cookieHttpOnly)
                || undecided(strongest.cookieSecure, cookieSecure, equal.cookieSecure)
                || undecided(strongest.cookieMaxAge, cookieMaxAge, equal.cookieMaxAge);
        return cookie ? "cookie-config" : null;
    }

    private static boolean undecided(@Nullable Object strongest, @Nullable Object one, @Nullable Object other) {
        return strongest == null && Overlay.differ(one, other);
    }

    public void fill(SessionConfigModel model) {
        model.timeoutMinutes = timeoutMinutes == null ? model.timeoutMinutes : timeoutMinutes;
        model.timeoutSaid = timeoutMinutes != null;
        model.cookieName = cookieName;
        model.cookieDomain = cookieDomain;
        model.cookiePath = cookiePath;
        model.cookieComment = cookieComment;
        model.cookieHttpOnly = cookieHttpOnly;
        model.cookieSecure = Boolean.TRUE.equals(cookieSecure);
        model.cookieMaxAge = cookieMaxAge == null ? model.cookieMaxAge : cookieMaxAge;
        model.trackingModes.addAll(trackingModes);
    }
}
