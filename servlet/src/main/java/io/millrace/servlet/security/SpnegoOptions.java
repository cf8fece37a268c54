package io.millrace.servlet.security;

import java.util.regex.Pattern;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * How SPNEGO asks for logins, as Tomcat's SpnegoAuthenticator. Immutable.
 *
 * @param loginConfigName the entry of the JAAS configuration by which the server logs in as the service that tickets are for
 * @param configuration has that entry; null: the process's own, {@code -Djava.security.auth.login.config}
 * @param storeDelegatedCredential keeps what a client delegated: {@link #CREDENTIAL_ATTRIBUTE}
 * @param noKeepAliveUserAgents browsers whose connection is closed after a login, by their User-Agent; null: none
 */
public record SpnegoOptions(
        String loginConfigName,
        @Nullable Configuration configuration,
        boolean storeDelegatedCredential,
        @Nullable Pattern noKeepAliveUserAgents) {

    /** The entry of the JDK's own name, for the process's configuration; delegated credentials are kept. */
    public static final SpnegoOptions DEFAULTS =
            new SpnegoOptions("com.sun.security.jgss.krb5.accept", null, true, null);

    /** The attribute of requests with the {@link org.ietf.jgss.GSSCredential} that a user delegated; Tomcat's name. */
    public static final String CREDENTIAL_ATTRIBUTE = "org.apache.catalina.realm.GSS_CREDENTIAL";

    /** What keeps the server from logging in; null if nothing is known to. */
    @Nullable
    String defect() {
        try {
            Configuration known = configuration == null ? Configuration.getConfiguration() : configuration;
            return known.getAppConfigurationEntry(loginConfigName) != null
                    ? null
                    : "the JAAS configuration has no entry \"" + loginConfigName
                            + "\", by which SPNEGO gets the key of its service; add it to conf/jaas.conf, or to the file of"
                            + " -Djava.security.auth.login.config";
        } catch (SecurityException e) {
            return "SPNEGO needs a JAAS configuration with the entry \"" + loginConfigName
                    + "\", in conf/jaas.conf or the file of -Djava.security.auth.login.config: " + e.getMessage();
        }
    }
}
