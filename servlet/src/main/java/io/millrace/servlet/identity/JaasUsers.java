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
 * Lets login modules decide who may log in (JAAS, {@link LoginContext}): those that a configuration names for an application.
 * The classes of the principals that they give say which is the user and which are roles, as in Tomcat's JAASRealm. A login
 * without a principal of the user's class is refused. Passwords, and users that are verified already, whose modules are asked
 * for the roles, with an empty password; no DIGEST. Any thread; each login has modules of its own.
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
     * The users of an application's login modules.
     *
     * @param application its name in the configuration
     * @param loader has the classes of the modules
     * @param userClasses the names of classes of principals, of which one is the user
     * @param roleClasses those of principals that are roles
     * @throws IllegalArgumentException if the configuration does not know the application, or the loader lacks a module
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
                    "the JAAS configuration has no entry \"" + application + "\", so nobody could log in");
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
            throw new IllegalArgumentException("no class of principals is named that are users");
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
            return modules(new Answers(given.name(), given.password(), null));
        }
        return proof.isVerified() && proof.matches("", PasswordFormat.detected())
                ? modules(new Answers(proof.name(), "", HttpServletRequest.CLIENT_CERT_AUTH))
                : null;
    }

    private @Nullable Identity modules(Answers answers) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // by which LoginContext finds the modules
        try {
            return login(answers);
        } catch (LoginException e) {
            LOG.debugf(e, "the login modules of %s refuse a login", application);
            return null;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private @Nullable Identity login(Answers answers) throws LoginException {
        Subject subject = new Subject();
        LoginContext login = new LoginContext(application, subject, answers, configuration);
        login.login();
        Identity identity = identity(subject);
        try {
            login.logout(); // the session remembers name and roles, and nothing of the modules
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
            LOG.debugf("the login modules of %s give no principal of %s", application, userClasses);
            return null;
        }
        return new Identity(user, roles);
    }

    /**
     * What modules may ask for, as in Tomcat.
     *
     * @param authMethod CLIENT_CERT, whoever it was that verified the user; null if the modules are to check a password
     */
    private record Answers(
            String name, String password, @Nullable String authMethod) implements CallbackHandler {

        /** A module that asks for something else can't be answered, and refuses the login. */
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

        /** Never the password. */
        @Override
        public String toString() {
            return name;
        }
    }
}
