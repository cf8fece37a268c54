package io.millrace.servlet.security;

import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.settings.Settings;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import javax.security.auth.Subject;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Accepts SPNEGO tokens (RFC 4178) as the service of a JAAS entry. It logs in with the entry for each token, so that a replaced
 * keytab takes effect. Thread-safe; blocks, because it reads files and may contact the KDC.
 */
final class GssAcceptor {

    private static final Logger LOG = Logger.getLogger(GssAcceptor.class);

    private static final Oid SPNEGO = spnego();

    private final String entry;
    private final @Nullable Configuration configuration;
    private final boolean delegation;

    GssAcceptor(Settings settings) {
        entry = settings.get(LoginOptions.LOGIN_CONFIG_NAME);
        configuration = settings.find(LoginOptions.JAAS_CONFIGURATION);
        delegation = settings.get(LoginOptions.STORE_DELEGATED_CREDENTIAL);
    }

    /** Why the server can't log in; null if no reason is known. */
    @Nullable
    String defect() {
        try {
            Configuration known = configuration == null ? Configuration.getConfiguration() : configuration;
            return known.getAppConfigurationEntry(entry) != null
                    ? null
                    : "the JAAS configuration has no entry \"" + entry
                            + "\", which provides the key of the SPNEGO service; add it to conf/jaas.conf, or to the file of"
                            + " -Djava.security.auth.login.config";
        } catch (SecurityException e) {
            return "SPNEGO needs a JAAS configuration with the entry \"" + entry
                    + "\", in conf/jaas.conf or the file of -Djava.security.auth.login.config: " + e.getMessage();
        }
    }

    /**
     * The result of a token.
     *
     * @param principal its sender, with the realm; null if another token is needed first
     * @param reply a token for the client, in base64; null if there is none
     * @param credential the credential that the principal delegated; null if there is none, or it is not stored
     */
    record Accepted(
            @Nullable String principal,
            @Nullable String reply,
            @Nullable GSSCredential credential) {}

    private static Oid spnego() {
        try {
            return new Oid("1.3.6.1.5.5.2");
        } catch (GSSException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Accepts a client's first token, which is its only one with Kerberos.
     *
     * @throws GSSException if the token is invalid, or not for this service
     * @throws StoreUnavailableException if the server itself cannot log in
     */
    Accepted accept(byte[] token) throws GSSException {
        LoginContext login = login();
        try {
            return Subject.doAs(login.getSubject(), (PrivilegedExceptionAction<Accepted>) () -> negotiate(token));
        } catch (PrivilegedActionException e) {
            if (e.getException() instanceof GSSException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getException());
        } finally {
            logout(login);
        }
    }

    private LoginContext login() {
        try {
            LoginContext login = new LoginContext(entry, new Subject(), null, configuration);
            login.login();
            return login;
        } catch (LoginException | SecurityException e) {
            throw unavailable(e);
        }
    }

    private void logout(LoginContext login) {
        try {
            login.logout();
        } catch (LoginException e) {
            LOG.debugf(e, "the login modules of %s did not log out", entry);
        }
    }

    private Accepted negotiate(byte[] token) throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSCredential own = own(manager);
        try {
            GSSContext context = manager.createContext(own);
            try {
                return negotiate(context, token);
            } finally {
                context.dispose();
            }
        } finally {
            own.dispose();
        }
    }

    private Accepted negotiate(GSSContext context, byte[] token) throws GSSException {
        byte[] reply;
        try {
            reply = context.acceptSecContext(token, 0, token.length);
        } catch (RuntimeException malformed) { // thrown by the JDK's parsers on malformed input
            throw (GSSException) new GSSException(GSSException.DEFECTIVE_TOKEN).initCause(malformed);
        }
        String text = reply == null ? null : Base64.getEncoder().encodeToString(reply);
        if (!context.isEstablished()) {
            return new Accepted(null, text, null);
        }
        boolean delegated = delegation && context.getCredDelegState();
        return new Accepted(context.getSrcName().toString(), text, delegated ? context.getDelegCred() : null);
    }

    private GSSCredential own(GSSManager manager) {
        try {
            return manager.createCredential(null, GSSCredential.DEFAULT_LIFETIME, SPNEGO, GSSCredential.ACCEPT_ONLY);
        } catch (GSSException e) {
            throw unavailable(e);
        }
    }

    private StoreUnavailableException unavailable(Exception cause) {
        return new StoreUnavailableException(
                "the JAAS entry \"" + entry + "\" provides no key for accepting tickets: " + cause.getMessage(), cause);
    }
}
