package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionStore;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How an application's sessions are kept and carried, as far as its operator says it rather than its web.xml: Tomcat's
 * {@code <Manager>} and the session attributes of {@code <Context>}. What is not said is as web.xml or Tomcat's default has
 * it.
 *
 * @param keeping where sessions are between requests
 * @param store for what is not kept in memory alone
 * @param idBytes random bytes of a session id, before they are written in letters
 * @param maxActive sessions in memory at a time; negative: any number. {@code getSession} fails beyond
 * @param maxIdleSwap after how long without a request a session leaves memory for the store; negative: never
 * @param maxIdleBackup after how long without a request a session is also written to the store; negative: never
 * @param persistAuthentication whether a login outlasts a restart with its session
 * @param attributeNames of attributes that are stored; null: all
 * @param attributeClasses names of classes that are stored and read; null: all that may be
 * @param cookieName in place of what the application says
 * @param cookieDomain in place of what the application says
 * @param cookiePath in place of what the application says
 * @param httpOnly false: the session cookie is open to scripts unless the application says otherwise
 * @param cookies false: ids are carried in URLs only, unless the application says otherwise
 */
public record SessionSettings(
        Keeping keeping,
        @Nullable SessionStore store,
        int idBytes,
        int maxActive,
        Duration maxIdleSwap,
        Duration maxIdleBackup,
        boolean persistAuthentication,
        @Nullable Pattern attributeNames,
        @Nullable Pattern attributeClasses,
        @Nullable String cookieName,
        @Nullable String cookieDomain,
        @Nullable String cookiePath,
        boolean httpOnly,
        boolean cookies) {

    /** In memory, until the application stops. */
    public static final SessionSettings DEFAULT = builder().build();

    /** Where sessions are between requests. */
    public enum Keeping {
        /** In memory; they end with the application. */
        MEMORY,
        /** In memory, and in the store while the application is stopped, or when they were idle for long. */
        RESTART,
        /** In the store, which several servers may share; read for each request, written after it. */
        SHARED
    }

    /** Nothing said yet. */
    public static SessionSettingsBuilder builder() {
        return new SessionSettingsBuilder();
    }
}
