package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import io.millrace.testkit.TestTls;
import java.security.KeyStore;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By StartTLS, and from one directory to another. */
final class LdapWaysTest {

    private static final String PEOPLE = "ou=people,dc=example,dc=org";

    private final SSLContext before;
    private final SSLContext trusting;
    private final InMemoryDirectoryServer directory;
    private final InMemoryDirectoryServer other;

    LdapWaysTest() throws Exception {
        before = SSLContext.getDefault();
        trusting = context();
        directory = server();
        other = server();
    }

    private static SSLContext context() throws Exception {
        KeyStore keys = TestTls.keyStore();
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, TestTls.PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private InMemoryDirectoryServer server() throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example,dc=org");
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig("plain", null, 0, trusting.getSocketFactory()));
        InMemoryDirectoryServer made = new InMemoryDirectoryServer(config);
        made.add("dn: dc=example,dc=org", "objectClass: domain", "dc: example");
        made.add("dn: " + PEOPLE, "objectClass: organizationalUnit", "ou: people");
        return made;
    }

    @BeforeEach
    void start() throws Exception {
        directory.startListening();
        other.startListening();
        directory.add(
                "dn: uid=ann," + PEOPLE,
                "objectClass: inetOrgPerson",
                "uid: ann",
                "cn: Ann",
                "sn: A",
                "userPassword: right");
        other.add(
                "dn: uid=bob," + PEOPLE,
                "objectClass: inetOrgPerson",
                "uid: bob",
                "cn: Bob",
                "sn: B",
                "userPassword: bobs");
        directory.add(
                "dn: ou=more," + PEOPLE,
                "objectClass: referral",
                "objectClass: extensibleObject",
                "ou: more",
                "ref: " + url(other) + "/" + PEOPLE);
    }

    @AfterEach
    void stop() {
        SSLContext.setDefault(before);
        directory.shutDown(true);
        other.shutDown(true);
    }

    private static String url(InMemoryDirectoryServer server) {
        return "ldap://localhost:" + server.getListenPort();
    }

    private LdapUsersBuilder at() {
        return LdapUsers.at(url(directory)).userSearch("dc=example,dc=org", "(uid={0})", true);
    }

    @Test
    void asksByStartTls() {
        SSLContext.setDefault(trusting);
        LdapUsers users = at().startTls(true).build();
        assertEquals(new Identity("ann", Set.of()), users.verify("ann", "right"));
        assertNull(users.verify("ann", "wrong"));
    }

    @Test
    void asksNobodyWhoseCertificateIsNotTrusted() {
        assertThrows(
                StoreUnavailableException.class,
                () -> at().startTls(true).build().verify("ann", "right"));
    }

    /** Passwords are compared, since a login is tried where the search began, as in Tomcat. */
    @Test
    void followsReferralsIfItIsTold() {
        LdapUsers users = at().referrals("follow").userPassword("userPassword").build();
        assertEquals(new Identity("bob", Set.of()), users.verify("bob", "bobs"));
        assertNull(users.verify("bob", "wrong"));
    }

    @Test
    void leavesReferralsAloneOtherwise() {
        assertNull(at().build().verify("bob", "bobs"));
        assertEquals(new Identity("ann", Set.of()), at().build().verify("ann", "right"));
        assertNull(at().referrals("ignore").build().verify("bob", "bobs"));
    }
}
