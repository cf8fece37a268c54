package io.millrace.servlet.identity;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.ChoiceCallback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;

/** Knows the user "ann" with the password "secret"; its options say what else it does. */
public final class TestLoginModule implements LoginModule {

    private Subject subject = new Subject();
    private CallbackHandler handler = callbacks -> {};
    private Map<String, ?> options = Map.of();

    /** For JAAS. */
    public TestLoginModule() {}

    /** A user. */
    public record User(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }

    /** A role. */
    public record Role(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }

    @Override
    public void initialize(
            Subject whom, CallbackHandler asked, Map<String, ?> sharedState, Map<String, ?> moduleOptions) {
        subject = whom;
        handler = asked;
        options = moduleOptions;
    }

    @Override
    public boolean login() throws LoginException {
        NameCallback name = new NameCallback("name");
        PasswordCallback password = new PasswordCallback("password", false);
        try {
            handler.handle(
                    options.containsKey("asksMore")
                            ? new Callback[] {new ChoiceCallback("which", new String[] {"a"}, 0, false)}
                            : new Callback[] {name, password});
        } catch (IOException | UnsupportedCallbackException e) {
            throw new LoginException(e.toString());
        }
        boolean known = options.containsKey("trusts") && password.getPassword().length == 0
                || "secret".equals(new String(password.getPassword()));
        if (!"ann".equals(name.getName()) || !known) {
            throw new FailedLoginException();
        }
        return true;
    }

    @Override
    public boolean commit() {
        subject.getPrincipals().addAll(List.of(new Role("reader"), new Role("writer")));
        if (!options.containsKey("namesNobody")) {
            subject.getPrincipals().add(new User("Ann"));
        }
        return true;
    }

    @Override
    public boolean abort() {
        return true;
    }

    @Override
    public boolean logout() throws LoginException {
        if (options.containsKey("stays")) {
            throw new LoginException("stays");
        }
        subject.getPrincipals().clear();
        return true;
    }
}
