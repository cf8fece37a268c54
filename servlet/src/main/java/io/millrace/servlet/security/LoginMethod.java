package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.session.DelegatedCredential;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.settings.Settings;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An authentication method. An application has one instance for all requests; implementations are thread-safe. */
interface LoginMethod {

    String DEFAULT_REALM = "Authentication required";

    /** The result of {@link #authenticate}. */
    sealed interface Outcome {

        /**
         * The request is authenticated.
         *
         * @param credential the credential that the user delegated; null if there is none
         * @param password the password that was verified; null if the method does not use one
         */
        record Proved(Identity identity, @Nullable DelegatedCredential credential, Proof.@Nullable Password password)
                implements Outcome {

            Proved(Identity identity, @Nullable DelegatedCredential credential) {
                this(identity, credential, null);
            }

            Proved(Identity identity, Proof.Password password) {
                this(identity, null, password);
            }

            Proved(Identity identity) {
                this(identity, null, null);
            }
        }

        /** The request is not authenticated; this is the response. */
        record Answered(Verdict verdict) implements Outcome {}
    }

    /** No login method, or an unsupported one: every resource that requires a login is refused. */
    record None(String authType) implements LoginMethod {

        @Override
        public boolean isRemembered() {
            return true;
        }

        @Override
        public Outcome authenticate(LoginRequest request) {
            return new Outcome.Answered(
                    new Verdict.Refused(403, "This resource requires a login, but this application supports none."));
        }
    }

    /**
     * The method that a descriptor declares.
     *
     * @param shared with other servers; null if nothing is
     */
    static LoginMethod of(
            @Nullable LoginConfigModel login,
            IdentityStore store,
            Settings settings,
            String applicationName,
            @Nullable SharedMap shared) {
        String name = login == null || login.method() == null
                ? "LOGIN"
                : login.method().trim().toUpperCase(Locale.ROOT);
        String given = login == null ? null : login.realm();
        String realm = given == null || given.isBlank() ? DEFAULT_REALM : given.trim();
        return switch (name) {
            case "BASIC" -> new BasicLogin(store, realm);
            case "DIGEST" -> new DigestLogin(store, realm, settings, shared);
            case "CLIENT-CERT", "CLIENT_CERT" -> new CertificateLogin(store);
            case "SPNEGO" -> new SpnegoLogin(store, settings, applicationName);
            case "FORM" ->
                login == null || login.loginPage() == null || login.errorPage() == null
                        ? new None(name)
                        : new FormLogin(store, login, settings);
            default -> new None(name);
        };
    }

    /** The value of {@code HttpServletRequest.getAuthType}. */
    String authType();

    /** Whether the session stores the identity; otherwise each request has to be authenticated. */
    boolean isRemembered();

    /**
     * Authenticates a request by its own credentials. May block.
     *
     * @throws io.millrace.servlet.identity.StoreUnavailableException if the store cannot verify them now
     */
    Outcome authenticate(LoginRequest request);

    /** Handles a request of the method's own, such as a login form, constrained or not; null if the application handles it. */
    default @Nullable Verdict serve(LoginRequest request) {
        return null;
    }

    /** True for a page that must be accessible without a login, whatever constraints apply to it. */
    default boolean isOpen(String path) {
        return false;
    }
}
