package io.millrace.servlet.identity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.PartialResultException;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import org.jspecify.annotations.Nullable;

/** One connection to a directory, bound as a user or anonymously. Not thread-safe. */
final class LdapConnection implements AutoCloseable {

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
    List<SearchResult> search(LdapSettings.Search search, String filter, String... attributes) throws NamingException {
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
