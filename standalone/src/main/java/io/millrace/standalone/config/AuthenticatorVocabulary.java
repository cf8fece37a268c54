package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;

import io.millrace.servlet.security.LoginOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's authenticators, which are Valves in a Context. The Valve selects an authenticator, whatever the auth-method of
 * web.xml is, and configures it.
 */
final class AuthenticatorVocabulary {

    private static final String PACKAGE = "org.apache.catalina.authenticator.";

    private static final List<AttributeRule> COMMON = List.of(
            AttributeRule.of(LoginOptions.DISABLE_PROXY_CACHING),
            AttributeRule.of(LoginOptions.SECURE_PAGES_WITH_PRAGMA),
            none("allowCorsPreflight", TEXT, "never", "preflight requests require a login like any other"),
            none("alwaysUseSession", BOOLEAN, "false", "a login creates a session only if its method needs one"),
            only("cache", "true", "a session keeps the user until it ends"),
            none("changeSessionIdOnAuthentication", BOOLEAN, "true", "a session has a new id after each login"),
            none("sendAuthInfoResponseHeaders", BOOLEAN, "false", "only the access log contains the user of a login"),
            only("jaspicCallbackHandlerClass", "", "there is no JASPIC; log in by auth-method, or by a Filter"),
            moot("secureRandomClass"),
            moot("secureRandomAlgorithm"),
            moot("secureRandomProvider"));

    private static final Map<String, ElementRule> VALVES = Map.of(
            "BasicAuthenticator",
            valve(
                    none("charset", TEXT, "UTF-8", "names and passwords are decoded as UTF-8"),
                    none("trimCredentials", BOOLEAN, "false", "names and passwords are not trimmed")),
            "DigestAuthenticator",
            valve(
                    AttributeRule.of(LoginOptions.ALGORITHMS),
                    AttributeRule.of(LoginOptions.NONCE_VALIDITY),
                    none("nonceCountWindowSize", number(1, Integer.MAX_VALUE)),
                    none("nonceCacheSize", number(1, Integer.MAX_VALUE)),
                    moot("cnonceCacheSize"),
                    none("key", TEXT),
                    none("opaque", TEXT),
                    none("validateUri", BOOLEAN, "true", "the URI in the credentials must be that of the request")),
            "FormAuthenticator",
            valve(
                    AttributeRule.of(LoginOptions.LANDING_PAGE),
                    AttributeRule.of(LoginOptions.AUTHENTICATION_SESSION_TIMEOUT),
                    none("characterEncoding", TEXT, "UTF-8", "the login form is read as UTF-8")),
            "SpnegoAuthenticator",
            valve(
                    AttributeRule.of(LoginOptions.LOGIN_CONFIG_NAME),
                    AttributeRule.of(LoginOptions.STORE_DELEGATED_CREDENTIAL),
                    AttributeRule.of(LoginOptions.NO_KEEP_ALIVE_USER_AGENTS),
                    moot("applyJava8u40Fix")),
            "SSLAuthenticator",
            valve(),
            "NonLoginAuthenticator",
            valve());

    private AuthenticatorVocabulary() {}

    private static ElementRule valve(AttributeRule... own) {
        return ElementRule.valve(Stream.concat(COMMON.stream(), Stream.of(own)).toArray(AttributeRule[]::new));
    }

    static boolean isOne(ConfigElement element) {
        return of(element) != null;
    }

    static @Nullable ElementRule of(ConfigElement element) {
        String type = String.valueOf(element.value("className"));
        return element.name().equals("Valve") && type.startsWith(PACKAGE)
                ? VALVES.get(type.substring(PACKAGE.length()))
                : null;
    }
}
