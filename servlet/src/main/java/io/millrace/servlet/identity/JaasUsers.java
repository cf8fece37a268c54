package io.millrace.servlet.identity;

import java.io.IOException;
import java.security.Principal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.TextInputCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import javax.servlet.http.HttpServletRequest;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Verifies users by JAAS login modules ({@link LoginContext}), as Tomcat's JAASRealm does. The classes of the principals that the
 * modules add distinguish the user from roles; a login without a user principal is refused. Supports passwords, and users who
 * were verified elsewhere, for whom the modules are called with an empty password; DIGEST is not supported. Thread-safe: each
 * login has its own modules.
 */
public final class JaasUsers implements IdentityStore {

    private static final Logger LOG = Logger.getLogger(JaasUsers.class);

    private final String application;
    private final Configuration configuration;
    private final ClassLoader loader;
    private final Set<String> userClasses;
    private final Set<String> roleClasses;

    private JaasUsers(
            String application,
            Configuration configuration,
            ClassLoader loader,
            List<String> userClasses,
            List<String> roleClasses) {
        this.application = application;
        this.configuration = configuration;
        this.loader = loader;
        this.userClasses = Set.copyOf(userClasses);
        this.roleClasses = Set.copyOf(roleClasses);
    }

    /**
     * Creates a store on the login modules of a JAAS entry.
     *
     * @param application the name of the entry in the configuration
     * @param loader loads the classes of the modules
     * @param userClasses names of principal classes; the first principal of one of them is the user
     * @param roleClasses names of principal classes; each principal of one of them is a role
     * @throws IllegalArgumentException if the configuration has no such entry, a module cannot be loaded, or there are no user
     *     classes
     */
    public static JaasUsers of(
            String application,
            Configuration configuration,
            ClassLoader loader,
            List<String> userClasses,
            List<String> roleClasses) {
        AppConfigurationEntry[] entries = configuration.getAppConfigurationEntry(application);
        if (entries == null) {
            throw new IllegalArgumentException(
                    "the JAAS configuration has no entry \"" + application + "\"; add it, so that users can log in");
        }
        for (AppConfigurationEntry entry : entries) {
            try {
                Class.forName(entry.getLoginModuleName(), false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                throw new IllegalArgumentException(
                        "the login module " + entry.getLoginModuleName() + " of the JAAS entry \"" + application
                                + "\" is not installed: put its jar into lib",
                        e);
            }
        }
        if (userClasses.isEmpty()) {
            throw new IllegalArgumentException(
                    "no class of user principals; name at least one, in server.xml by userClassNames");
        }
        return new JaasUsers(application, configuration, loader, userClasses, roleClasses);
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        if (proof instanceof Proof.Password given) {
            return modules(new Callbacks(given.name(), given.password(), null));
        }
        return proof.isVerified() && proof.matches("", PasswordFormat.detected())
                ? modules(new Callbacks(proof.name(), "", HttpServletRequest.CLIENT_CERT_AUTH))
                : null;
    }

    private @Nullable Identity modules(Callbacks callbacks) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // LoginContext loads the modules with it
        try {
            return login(callbacks);
        } catch (LoginException e) {
            LOG.debugf(e, "the login modules of %s refused a login", application);
            return null;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private @Nullable Identity login(Callbacks callbacks) throws LoginException {
        Subject subject = new Subject();
        LoginContext login = new LoginContext(application, subject, callbacks, configuration);
        login.login();
        Identity identity = identity(subject);
        try {
            login.logout(); // the session stores the name and the roles, not the modules' subject
        } catch (LoginException e) {
            LOG.debugf(e, "the login modules of %s did not log out", application);
        }
        return identity;
    }

    private @Nullable Identity identity(Subject subject) {
        String user = null;
        Set<String> roles = new LinkedHashSet<>();
        for (Principal principal : subject.getPrincipals()) {
            String type = principal.getClass().getName();
            if (user == null && userClasses.contains(type)) {
                user = principal.getName();
            }
            if (roleClasses.contains(type)) {
                roles.add(principal.getName());
            }
        }
        if (user == null) {
            LOG.debugf("the login modules of %s provide no principal of %s", application, userClasses);
            return null;
        }
        return new Identity(user, roles);
    }

    /**
     * Callbacks the callbacks of login modules, as in Tomcat.
     *
     * @param authMethod CLIENT_CERT for every user verified elsewhere; null if the modules must check a password
     */
    private record Callbacks(
            String name, String password, @Nullable String authMethod) implements CallbackHandler {

        /** Other callbacks are not supported: the module that uses one refuses the login. */
        @Override
        public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
            for (Callback callback : callbacks) {
                if (callback instanceof NameCallback asked) {
                    asked.setName(name);
                } else if (callback instanceof PasswordCallback asked) {
                    asked.setPassword(password.toCharArray());
                } else if (callback instanceof TextInputCallback asked
                        && asked.getPrompt().equals("catalinaBase")) {
                    asked.setText(System.getProperty("catalina.base", ""));
                } else if (callback instanceof TextInputCallback asked
                        && asked.getPrompt().equals("authMethod")) {
                    asked.setText(authMethod);
                } else {
                    throw new UnsupportedCallbackException(callback);
                }
            }
        }

        /** Without the password. */
        @Override
        public String toString() {
            return name;
        }
    }
}
