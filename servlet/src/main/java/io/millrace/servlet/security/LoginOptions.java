package io.millrace.servlet.security;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.text;

import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of logins, with the names and defaults of Tomcat's authenticator Valves:
 * {@code WebApplication.war(file).with(LANDING_PAGE, "/home")}.
 */
public final class LoginOptions {

    /** The attribute of requests with the {@link org.ietf.jgss.GSSCredential} that a user delegated; Tomcat's name. */
    public static final String CREDENTIAL_ATTRIBUTE = "org.apache.catalina.realm.GSS_CREDENTIAL";

    private static final SettingGroup GROUP = new SettingGroup();
    private static final String DIGESTS = "SHA-256, MD5 or both separated by a comma, the preferred first";

    /** Prevents caching of constrained resources by shared caches. */
    public static final Setting<Boolean> DISABLE_PROXY_CACHING = GROUP.add("disableProxyCaching", BOOLEAN, true);

    /** Prevents it by {@code Pragma} and {@code no-cache}, which disables the browser's cache too; otherwise by {@code private}. */
    public static final Setting<Boolean> SECURE_PAGES_WITH_PRAGMA = GROUP.add("securePagesWithPragma", BOOLEAN, false);

    /** The algorithms offered to DIGEST clients, the preferred first; at least one. */
    public static final Setting<List<DigestAlgorithm>> ALGORITHMS = GROUP.add(
            "algorithms",
            new SettingType<>(DIGESTS, LoginOptions::algorithms).limitedTo(DIGESTS, digests -> !digests.isEmpty()),
            List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5),
            "SHA-256,MD5");

    /** The lifetime of a DIGEST nonce. */
    public static final Setting<Duration> NONCE_VALIDITY = GROUP.add(
            "nonceValidity",
            MILLISECONDS.readFrom(largeNumber(1, Long.MAX_VALUE), Duration::ofMillis),
            Duration.ofMinutes(5));

    /**
     * The target of a FORM login without a saved request: a path below the context path that begins with a slash. Unless it is
     * set, such a login is refused.
     */
    public static final Setting<String> LANDING_PAGE = GROUP.optional(
            "landingPage",
            text("a path below the context path that begins with a slash", page -> page.startsWith("/")));

    /**
     * The idle timeout, in seconds until the FORM login, of a session that was created to save a request; zero or less for the
     * usual timeout.
     */
    public static final Setting<Integer> AUTHENTICATION_SESSION_TIMEOUT =
            GROUP.add("authenticationSessionTimeout", number(-1, Integer.MAX_VALUE), 120);

    /** The entry of the JAAS configuration by which the server logs in as the SPNEGO service. */
    public static final Setting<String> LOGIN_CONFIG_NAME =
            GROUP.add("loginConfigName", TEXT, "com.sun.security.jgss.krb5.accept");

    /**
     * The JAAS configuration with that entry, which only programs can set; default: that of
     * {@code -Djava.security.auth.login.config}.
     */
    public static final Setting<Configuration> JAAS_CONFIGURATION =
            GROUP.optional("jaasConfiguration", new SettingType<>("an object set by a program", text -> null));

    /** Stores the credential that a SPNEGO client delegated, as {@link #CREDENTIAL_ATTRIBUTE}. */
    public static final Setting<Boolean> STORE_DELEGATED_CREDENTIAL =
            GROUP.add("storeDelegatedCredential", BOOLEAN, true);

    /** Matches the User-Agent of browsers whose connection is closed after a SPNEGO login; none unless it is set. */
    public static final Setting<Pattern> NO_KEEP_ALIVE_USER_AGENTS = GROUP.optional("noKeepAliveUserAgents", PATTERN);

    private LoginOptions() {}

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    private static @Nullable List<DigestAlgorithm> algorithms(String text) {
        return text.matches("\\s*(SHA-256|MD5)\\s*(,\\s*(SHA-256|MD5)\\s*)?")
                ? Stream.of(text.split(",", -1))
                        .map(name -> DigestAlgorithm.valueOf(name.strip().replace('-', '_')))
                        .toList()
                : null;
    }
}
