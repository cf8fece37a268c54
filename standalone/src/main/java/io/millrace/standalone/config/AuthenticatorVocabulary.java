package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.servlet.security.SpnegoOptions;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's authenticators, which are Valves in a Context. Which of them an application has follows from the auth-method of its
 * web.xml; the Valve only says how it works.
 */
final class AuthenticatorVocabulary {

    private static final String PACKAGE = "org.apache.catalina.authenticator.";

    private static final SettingType<?> DIGESTS = SettingType.text(
            "SHA-256, MD5 or both with a comma between them, the best first",
            value -> value.matches("\\s*(SHA-256|MD5)\\s*(,\\s*(SHA-256|MD5)\\s*)?"));

    private static final SettingType<?> PAGE =
            SettingType.text("a path below the context path that begins with a slash", value -> value.startsWith("/"));

    private static final List<AttributeRule> COMMON = List.of(
            works("className", TEXT, null),
            works("disableProxyCaching", BOOLEAN, "true"),
            works("securePagesWithPragma", BOOLEAN, "false"),
            none("allowCorsPreflight", TEXT, "never", "preflight requests are asked for a login as others are"),
            none("alwaysUseSession", BOOLEAN, "false", "a login makes a session only where its kind needs one"),
            only("cache", "true", "a session remembers who logged in, until it ends"),
            none("changeSessionIdOnAuthentication", BOOLEAN, "true", "a session has a new id after each login"),
            none("sendAuthInfoResponseHeaders", BOOLEAN, "false", "a login is told to the access log alone"),
            only("jaspicCallbackHandlerClass", "", "there is no JASPIC; log in by auth-method, or by a Filter"),
            moot("asyncSupported"),
            moot("secureRandomClass"),
            moot("secureRandomAlgorithm"),
            moot("secureRandomProvider"));

    private static final Map<String, ElementRule> VALVES = Map.of(
            "BasicAuthenticator",
            valve(
                    none("charset", TEXT, "UTF-8", "names and passwords are read as UTF-8"),
                    none("trimCredentials", BOOLEAN, "false", "names and passwords are taken as they are")),
            "DigestAuthenticator",
            valve(
                    works("algorithms", DIGESTS, "SHA-256,MD5"),
                    works("nonceValidity", largeNumber(1, Long.MAX_VALUE), "300000"),
                    none("nonceCountWindowSize", number(1, Integer.MAX_VALUE)),
                    none("nonceCacheSize", number(1, Integer.MAX_VALUE)),
                    moot("cnonceCacheSize"),
                    none("key", TEXT),
                    none("opaque", TEXT),
                    none("validateUri", BOOLEAN, "true", "the URI of the login must be that of the request")),
            "FormAuthenticator",
            valve(
                    works("landingPage", PAGE, null),
                    works("authenticationSessionTimeout", number(-1, Integer.MAX_VALUE), "120"),
                    none("characterEncoding", TEXT, "UTF-8", "the login form is read as UTF-8")),
            "SpnegoAuthenticator",
            valve(
                    works("loginConfigName", TEXT, SpnegoOptions.DEFAULTS.loginConfigName()),
                    works("storeDelegatedCredential", BOOLEAN, "true"),
                    works("noKeepAliveUserAgents", PATTERN, null),
                    moot("applyJava8u40Fix")),
            "SSLAuthenticator",
            valve(),
            "NonLoginAuthenticator",
            valve());

    private AuthenticatorVocabulary() {}

    private static ElementRule valve(AttributeRule... own) {
        return ElementRule.of(
                "Valve", Stream.concat(COMMON.stream(), Stream.of(own)).toList());
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
