package io.millrace.standalone.config.valve;

import io.millrace.servlet.security.LoginOptions;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.List;
import java.util.Set;

/**
 * Tomcat's authenticators, which are Valves in a Context. The Valve selects an authenticator, whatever the auth-method of
 * web.xml is, and configures it.
 */
public final class Authenticator extends ValveKind {

    static final String PACKAGE = "org.apache.catalina.authenticator.";

    private final String method;

    private Authenticator(String name, String method, List<Attribute<?>> own) {
        super(
                PACKAGE + name,
                List.of(
                        Attribute.of(LoginOptions.DISABLE_PROXY_CACHING),
                        Attribute.of(LoginOptions.SECURE_PAGES_WITH_PRAGMA)),
                TomcatAttributes.of("Authenticator"),
                own);
        this.method = method;
    }

    static List<ValveKind> kinds() {
        return List.of(
                new Authenticator("BasicAuthenticator", "BASIC", TomcatAttributes.of("BasicAuthenticator")),
                new Authenticator(
                        "DigestAuthenticator",
                        "DIGEST",
                        Attribute.all(
                                Attribute.of(List.of(LoginOptions.ALGORITHMS, LoginOptions.NONCE_VALIDITY)),
                                TomcatAttributes.of("DigestAuthenticator"))),
                new Authenticator(
                        "FormAuthenticator",
                        "FORM",
                        Attribute.all(
                                Attribute.of(List.of(
                                        LoginOptions.LANDING_PAGE, LoginOptions.AUTHENTICATION_SESSION_TIMEOUT)),
                                TomcatAttributes.of("FormAuthenticator"))),
                new Authenticator(
                        "SpnegoAuthenticator",
                        "SPNEGO",
                        Attribute.all(
                                Attribute.of(List.of(
                                        LoginOptions.LOGIN_CONFIG_NAME,
                                        LoginOptions.STORE_DELEGATED_CREDENTIAL,
                                        LoginOptions.NO_KEEP_ALIVE_USER_AGENTS)),
                                TomcatAttributes.of("SpnegoAuthenticator"))),
                new Authenticator("SSLAuthenticator", "CLIENT-CERT", List.of()),
                // no authentication: protected resources stay inaccessible
                new Authenticator("NonLoginAuthenticator", "NONE", List.of()));
    }

    @Override
    public Set<String> places() {
        return Set.of("Context");
    }

    /** The auth-method that it stands for, as in web.xml. */
    public String method() {
        return method;
    }
}
