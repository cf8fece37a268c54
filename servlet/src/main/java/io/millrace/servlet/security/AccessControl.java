package io.millrace.servlet.security;

import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.settings.Settings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The security constraints and the login method of a web application. Thread-safe. */
public final class AccessControl {

    private static final MetricFamily LOGINS = MetricFamily.counter(
            "millrace_logins_total", "Credentials that were verified; locked: refused, as too many before them were");

    private final String applicationName;
    private final Constraints constraints;
    private final Set<String> declaredRoles;
    private final IdentityStore store;
    private final Settings settings;
    private final LoginMethod method;
    private final @Nullable SingleSignOn signOn;

    /**
     * Creates the access control of an application. Logs an unsupported login method and uncovered HTTP methods.
     *
     * @param applicationName for log messages
     * @param settings the settings, of which {@link LoginOptions} are used
     * @param signOn shares logins with other applications; null if they are not shared
     * @param metrics those of the application
     * @param shared with other servers that have the application; null if nothing is
     * @throws IllegalArgumentException if single sign-on is for another identity store
     */
    public AccessControl(
            WebAppModel model,
            String applicationName,
            IdentityStore store,
            Settings settings,
            @Nullable SingleSignOn signOn,
            MetricGroup metrics,
            @Nullable SharedMap shared) {
        this.applicationName = applicationName;
        this.store = new CountedLogins(store, metrics.counters(LOGINS, "result"));
        this.settings = settings;
        this.signOn = signOn;
        if (signOn != null && !signOn.isFor(store)) {
            throw new IllegalArgumentException(
                    "application \"" + applicationName + "\" has a realm of its own, but single sign-on is for another"
                            + " realm; use that, or set requireReauthentication of single sign-on");
        }
        constraints = new Constraints(model);
        declaredRoles = Set.copyOf(model.securityRoles);
        method = LoginMethod.of(model.loginConfig, this.store, settings, applicationName, shared);
        if (method instanceof LoginMethod.None && Constraints.needsLogin(model)) {
            ServletLog.SECURITY.loginMethodNotSupported(applicationName, method.authType());
        }
        constraints.forEachGap((pattern, methods) -> {
            if (model.denyUncoveredHttpMethods) {
                ServletLog.SECURITY.uncoveredMethodsDenied(applicationName, pattern, String.join(", ", methods));
            } else {
                ServletLog.SECURITY.uncoveredMethods(applicationName, pattern, String.join(", ", methods));
            }
        });
    }

    /**
     * Checks, before an application is started, whether its logins can be verified.
     *
     * @return what prevents that, a clause for the operator; null if nothing is known to
     */
    public static @Nullable String defect(WebAppModel model, Settings settings) {
        LoginConfigModel login = model.loginConfig;
        boolean spnego = login != null && "SPNEGO".equalsIgnoreCase(login.method());
        return spnego ? new GssAcceptor(settings).defect() : null;
    }

    /** Whether no request has to be checked: there are no constraints, and the login method is not FORM. */
    public boolean isIdle() {
        return constraints.isEmpty() && !(method instanceof FormLogin);
    }

    RequiredAccess demand(String httpMethod, String path) {
        RequiredAccess demand = constraints.demand(httpMethod, path);
        return method.isOpen(path)
                ? new RequiredAccess(RequiredAccess.Access.EVERYBODY, Set.of(), demand.encrypted())
                : demand;
    }

    @Nullable
    Identity verify(String name, String password) {
        return store.verify(new Proof.Password(name, password));
    }

    /** The identity of a user whom a front end has authenticated; null if the store does not know the user. */
    @Nullable
    Identity verifyRelayed(String name) {
        return store.verify(new Proof.Relayed(name));
    }

    LoginMethod method() {
        return method;
    }

    /** The single sign-on; null if logins are not shared with other applications. */
    @Nullable
    SingleSignOn signOn() {
        return signOn;
    }

    Settings settings() {
        return settings;
    }

    String applicationName() {
        return applicationName;
    }

    boolean declares(String role) {
        return declaredRoles.contains(role);
    }

    /** Counts what a store decides; not of users whom a front end has logged in. */
    private record CountedLogins(IdentityStore store, MetricGroup.Counters logins) implements IdentityStore {

        @Override
        public @Nullable Identity verify(String name, String password) {
            return verify(new Proof.Password(name, password));
        }

        @Override
        public @Nullable Identity verify(Proof proof) {
            Identity identity = store.verify(proof);
            if (!(proof instanceof Proof.Relayed)) {
                logins.increment(identity != null ? "accepted" : store.isLocked(proof.name()) ? "locked" : "refused");
            }
            return identity;
        }

        @Override
        public boolean isLocked(String name) {
            return store.isLocked(name);
        }
    }
}
