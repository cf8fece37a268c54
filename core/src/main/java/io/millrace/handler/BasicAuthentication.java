package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.BasicCredentials;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a name and a password (RFC 7617), which are checked on a worker for each request, and passes only requests of known
 * users, who have one of the roles if roles are required. Passwords are sent in clear text: use it over TLS. Immutable.
 */
public final class BasicAuthentication {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    private static final AttributeKey<User> USER = AttributeKey.of("user", User.class);

    /** A user who is known. */
    public record User(String name, Set<String> roles) {

        /** A user with these roles. */
        public User {
            roles = Set.copyOf(roles);
        }
    }

    /** The users and their passwords. Many threads call it at the same time; it may block. */
    @FunctionalInterface
    public interface Users {

        /**
         * Checks a password.
         *
         * @return null if the name or the password is wrong
         * @throws UnavailableException if it cannot be checked now: the response is 503
         */
        @Nullable
        User verify(String name, String password);
    }

    /** The users cannot be asked now. */
    public static final class UnavailableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /**
         * Says why.
         *
         * @param message it is not shown to clients
         */
        public UnavailableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Users users;
    private final String challenge;
    private final Set<String> roles;

    private BasicAuthentication(Users users, String challenge, Set<String> roles) {
        this.users = users;
        this.challenge = challenge;
        this.roles = roles;
    }

    /**
     * Admits all users.
     *
     * @param realm shown by browsers when they ask for the password
     */
    public static BasicAuthentication of(String realm, Users users) {
        return new BasicAuthentication(users, BasicCredentials.challenge(realm), Set.of());
    }

    /**
     * The same for users who have at least one of these roles; others get a 403 response.
     *
     * @throws IllegalArgumentException if there is none
     */
    public BasicAuthentication withRoles(String... required) {
        if (required.length == 0) {
            throw new IllegalArgumentException("the list of roles is empty; expected at least one");
        }
        return new BasicAuthentication(users, challenge, Set.of(required));
    }

    /** The user of a request; null if none was asked for. */
    public static @Nullable User user(HttpExchange exchange) {
        return exchange.attribute(USER);
    }

    /** A handler that passes requests of known users to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            BasicCredentials credentials = BasicCredentials.parse(field(exchange));
            if (credentials == null) {
                challenge(exchange);
            } else {
                exchange.dispatch(onWorker -> verify(onWorker, credentials, next));
            }
        };
    }

    /** Null if there are several, which two servers could read differently. */
    private static @Nullable String field(HttpExchange exchange) {
        List<String> all = exchange.request().headers().all("Authorization");
        return all.size() == 1 ? all.get(0) : null;
    }

    private void verify(HttpExchange exchange, BasicCredentials credentials, HttpHandler next) throws Exception {
        User user;
        try {
            user = users.verify(credentials.name(), credentials.password());
        } catch (UnavailableException e) {
            Responses.error(exchange, UNAVAILABLE);
            return;
        }
        if (user == null) {
            challenge(exchange);
        } else if (!roles.isEmpty() && roles.stream().noneMatch(user.roles()::contains)) {
            Responses.error(exchange, FORBIDDEN);
        } else {
            exchange.attributes().put(USER, user);
            exchange.attributes().put(AccessLog.USER, user.name());
            Route.follow(exchange, next);
        }
    }

    private void challenge(HttpExchange exchange) {
        exchange.response().headers().set("WWW-Authenticate", challenge);
        Responses.error(exchange, UNAUTHORIZED);
    }
}
