package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NamingSecurityException;
import javax.naming.PartialResultException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import org.jspecify.annotations.Nullable;

/**
 * Users in an LDAP directory, as in Tomcat's JNDIRealm. Passwords are verified by binding as the user, or by comparing an
 * attribute. Values from clients are escaped. Thread-safe.
 */
public final class LdapUsers implements IdentityStore {

    /** A user's entry. */
    private record Entry(String name, @Nullable Attributes attributes) {}

    /** The entry that is tried for an unknown user: no directory has it. */
    private static final Entry NOBODY = new Entry("cn=nobody,cn=nowhere", null);

    private final LdapSettings settings;
    private final LdapRoles roles;
    private final StoredPasswords passwords;

    LdapUsers(LdapSettings settings) {
        this.settings = settings;
        roles = new LdapRoles(settings);
        passwords = new StoredPasswords(settings.format());
    }

    /**
     * Describes a directory.
     *
     * @param url {@code ldap://host:389} or {@code ldaps://host:636}
     */
    public static LdapUsersBuilder at(String url) {
        return new LdapUsersBuilder(url);
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        if (proof.name().isEmpty()) {
            return null;
        }
        try (LdapConnection connection = LdapConnection.open(settings, settings.name(), settings.password())) {
            for (String pattern : settings.userPatterns()) {
                Entry entry = named(connection, proof, LdapText.filled(pattern, LdapText.inName(proof.name())));
                if (isProved(proof, entry)) {
                    return identity(connection, proof, entry);
                }
            }
            Entry entry = found(connection, proof.name());
            if (entry == null) {
                isProved(proof, NOBODY); // takes as long as for an existing user
                return null;
            }
            return isProved(proof, entry) ? identity(connection, proof, entry) : null;
        } catch (NamingException e) {
            throw new StoreUnavailableException(
                    "the directory " + settings.urls().get(0) + " failed: " + e.getMessage(), e);
        }
    }

    private Identity identity(LdapConnection connection, Proof proof, Entry entry) throws NamingException {
        return new Identity(proof.name(), roles.of(connection, proof.name(), entry.name(), entry.attributes()));
    }

    /**
     * The entry of a distinguished name. For a user who was verified elsewhere it is read even without attributes, to find out
     * whether it exists.
     */
    private Entry named(LdapConnection connection, Proof proof, String name) throws NamingException {
        String[] wanted = wanted();
        if (wanted.length == 0 && !proof.isVerified()) {
            return new Entry(name, null);
        }
        try {
            return new Entry(name, connection.attributes(name, wanted));
        } catch (NameNotFoundException nobody) {
            return new Entry(name, null);
        }
    }

    /** Searches for the entry of a user; null if there is none or more than one. */
    private @Nullable Entry found(LdapConnection connection, String name) throws NamingException {
        LdapSettings.Search search = settings.users();
        if (search == null) {
            return null;
        }
        String filter = LdapText.filled(search.filter(), LdapText.inFilter(name));
        List<SearchResult> results = connection.search(search, filter, wanted());
        if (results.size() != 1) {
            return null;
        }
        SearchResult result = results.get(0);
        return new Entry(result.getNameInNamespace(), result.getAttributes());
    }

    private String[] wanted() {
        return Stream.of(settings.userPassword(), settings.userRole(), settings.roleAttribute())
                .filter(Objects::nonNull)
                .toArray(String[]::new);
    }

    private boolean isProved(Proof proof, Entry entry) throws NamingException {
        if (proof.isVerified()) {
            return proof.matches("", settings.format()) && exists(entry);
        }
        String attribute = settings.userPassword();
        if (attribute != null) {
            String stored =
                    entry.attributes() == null ? null : text(entry.attributes().get(attribute));
            if (stored != null) {
                passwords.seen(stored);
            }
            return passwords.matches(proof, stored);
        }
        if (proof instanceof Proof.Password password) {
            return binds(entry.name(), password.password());
        }
        return false;
    }

    /** False if the name, which was made from a pattern, has no entry. */
    private boolean exists(Entry entry) {
        return entry.attributes() != null;
    }

    /**
     * Binds as the user. An empty password is refused, because directories accept it as an unauthenticated bind (RFC 4513,
     * 5.1.2).
     */
    private boolean binds(String name, String password) throws NamingException {
        if (password.isEmpty()) {
            return false;
        }
        try {
            LdapConnection.open(settings, name, password).close();
            return true;
        } catch (NamingSecurityException | NameNotFoundException wrong) {
            return false;
        }
    }

    private static @Nullable String text(@Nullable Attribute attribute) throws NamingException {
        Object value = attribute == null ? null : attribute.get();
        return value instanceof byte[] bytes ? new String(bytes, UTF_8) : value == null ? null : value.toString();
    }

    /** Finds the roles of a user in a directory. */
    private static final class LdapRoles {

        private final LdapSettings settings;

        LdapRoles(LdapSettings settings) {
            this.settings = settings;
        }

        /**
         * The roles of an authenticated user.
         *
         * @param login the name that the user logged in with
         * @param name the user's distinguished name
         */
        Set<String> of(LdapConnection connection, String login, String name, @Nullable Attributes attributes)
                throws NamingException {
            Set<String> roles = new LinkedHashSet<>(settings.commonRoles());
            if (settings.userRole() != null && attributes != null) {
                addAll(roles, attributes.get(settings.userRole()));
            }
            LdapSettings.Search search = settings.roles();
            if (search == null) {
                return roles;
            }
            String third = attribute(attributes, settings.roleAttribute());
            Deque<String[]> members = new ArrayDeque<>();
            members.add(new String[] {name, login, third});
            Set<String> visited = new HashSet<>();
            while (!members.isEmpty()) {
                String[] member = members.remove();
                String filter = LdapText.filled(
                        search.filter(),
                        LdapText.inFilter(member[0]),
                        LdapText.inFilter(member[1]),
                        LdapText.inFilter(member[2]));
                for (SearchResult role : connection.search(search, filter, settings.roleName())) {
                    Attribute named = role.getAttributes().get(settings.roleName());
                    addAll(roles, named);
                    String roleName = role.getNameInNamespace();
                    if (settings.nested() && visited.add(roleName)) {
                        members.add(new String[] {roleName, named == null ? "" : String.valueOf(named.get()), ""});
                    }
                }
            }
            return roles;
        }

        private static String attribute(@Nullable Attributes attributes, @Nullable String name) throws NamingException {
            Attribute attribute = attributes == null || name == null ? null : attributes.get(name);
            return attribute == null ? "" : String.valueOf(attribute.get());
        }

        private static void addAll(Set<String> roles, @Nullable Attribute values) throws NamingException {
            if (values == null) {
                return;
            }
            NamingEnumeration<?> each = values.getAll();
            while (each.hasMore()) {
                roles.add(String.valueOf(each.next()));
            }
        }
    }

    /** One connection to a directory, bound as a user or anonymously. Not thread-safe. */
    private static final class LdapConnection implements AutoCloseable {

        private static final String FACTORY = "com.sun.jndi.ldap.LdapCtxFactory";

        private final LdapContext context;
        private final @Nullable StartTlsResponse tls;

        private LdapConnection(LdapContext context, @Nullable StartTlsResponse tls) {
            this.context = context;
            this.tls = tls;
        }

        /**
         * Connects and binds.
         *
         * @param name null to bind anonymously
         * @throws javax.naming.AuthenticationException if the password is wrong
         */
        @SuppressWarnings("JdkObsolete") // JNDI takes nothing else
        static LdapConnection open(LdapSettings settings, @Nullable String name, @Nullable String password)
                throws NamingException {
            Hashtable<String, String> environment = environment(settings);
            if (!settings.startTls()) {
                credentials(environment, name, password);
                return new LdapConnection(new InitialLdapContext(environment, null), null);
            }
            LdapContext context = new InitialLdapContext(environment, null);
            StartTlsResponse tls = null;
            try {
                tls = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
                tls.negotiate();
                Hashtable<String, String> bindAs = new Hashtable<>();
                credentials(bindAs, name, password);
                for (var entry : bindAs.entrySet()) {
                    context.addToEnvironment(entry.getKey(), entry.getValue());
                }
                context.reconnect(null); // binds, over the same connection
                return new LdapConnection(context, tls);
            } catch (IOException e) {
                new LdapConnection(context, tls).close();
                throw (NamingException) new NamingException("StartTLS failed: " + e.getMessage()).initCause(e);
            } catch (NamingException e) {
                new LdapConnection(context, tls).close();
                throw e;
            }
        }

        @SuppressWarnings("JdkObsolete") // JNDI takes nothing else
        private static Hashtable<String, String> environment(LdapSettings settings) {
            Hashtable<String, String> environment = new Hashtable<>();
            environment.put(Context.INITIAL_CONTEXT_FACTORY, FACTORY);
            environment.put(Context.PROVIDER_URL, String.join(" ", settings.urls()));
            environment.put(
                    "com.sun.jndi.ldap.connect.timeout",
                    String.valueOf(settings.connectTimeout().toMillis()));
            environment.put(
                    "com.sun.jndi.ldap.read.timeout",
                    String.valueOf(settings.readTimeout().toMillis()));
            if (settings.referrals() != null) {
                environment.put(Context.REFERRAL, settings.referrals());
            }
            if (settings.derefAliases() != null) {
                environment.put("java.naming.ldap.derefAliases", settings.derefAliases());
            }
            if (settings.userPassword() != null) {
                environment.put("java.naming.ldap.attributes.binary", settings.userPassword());
            }
            return environment;
        }

        @SuppressWarnings("JdkObsolete") // JNDI takes nothing else
        private static void credentials(
                Hashtable<String, String> environment, @Nullable String name, @Nullable String password) {
            environment.put(Context.SECURITY_AUTHENTICATION, name == null ? "none" : "simple");
            if (name != null) {
                environment.put(Context.SECURITY_PRINCIPAL, name);
                environment.put(Context.SECURITY_CREDENTIALS, password == null ? "" : password);
            }
        }

        // Safe: attributes are strings and bytes. Only entries that are requested as objects would be deserialized, and
        // none are.

        /** The entries that a search finds, without unfollowed referrals. */
        @SuppressWarnings("BanJNDI") // see above
        List<SearchResult> search(LdapSettings.Search search, String filter, String... attributes)
                throws NamingException {
            SearchControls controls = new SearchControls();
            controls.setSearchScope(search.subtree() ? SearchControls.SUBTREE_SCOPE : SearchControls.ONELEVEL_SCOPE);
            controls.setReturningAttributes(attributes);
            controls.setReturningObjFlag(false);
            List<SearchResult> found = new ArrayList<>();
            NamingEnumeration<SearchResult> results = context.search(new LdapName(search.base()), filter, controls);
            try {
                while (results.hasMore()) {
                    found.add(results.next());
                }
            } catch (PartialResultException unfollowedReferrals) {
                return found;
            } finally {
                results.close();
            }
            return found;
        }

        /** The attributes of an entry. */
        @SuppressWarnings("BanJNDI") // see above
        Attributes attributes(String name, String... attributes) throws NamingException {
            return context.getAttributes(new LdapName(name), attributes);
        }

        @Override
        public void close() {
            try {
                if (tls != null) {
                    tls.close();
                }
                context.close();
            } catch (IOException | NamingException e) {
                org.jboss.logging.Logger.getLogger(LdapConnection.class)
                        .debugf(e, "failed to close a connection to a directory");
            }
        }
    }
}
