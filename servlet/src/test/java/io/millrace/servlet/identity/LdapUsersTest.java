package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On a directory server in this process. */
final class LdapUsersTest {

    private static final String LDIF = """
            dn: dc=example,dc=org
            objectClass: domain
            dc: example

            dn: ou=people,dc=example,dc=org
            objectClass: organizationalUnit
            ou: people

            dn: ou=groups,dc=example,dc=org
            objectClass: organizationalUnit
            ou: groups

            dn: uid=ann,ou=people,dc=example,dc=org
            objectClass: inetOrgPerson
            uid: ann
            cn: Ann
            sn: A
            employeeType: clerk
            userPassword: right

            dn: uid=b\\,o*b (x),ou=people,dc=example,dc=org
            objectClass: inetOrgPerson
            uid: b,o*b (x)
            cn: Bob
            sn: B
            userPassword: bobs

            dn: cn=admin,ou=groups,dc=example,dc=org
            objectClass: groupOfNames
            cn: admin
            member: uid=ann,ou=people,dc=example,dc=org

            dn: cn=staff,ou=groups,dc=example,dc=org
            objectClass: groupOfNames
            cn: staff
            member: cn=admin,ou=groups,dc=example,dc=org
            member: uid=b\\,o*b (x),ou=people,dc=example,dc=org
            """;

    private static @Nullable InMemoryDirectoryServer server;

    @BeforeAll
    static void start() throws LDAPException {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example,dc=org");
        config.addAdditionalBindCredentials("cn=reader", "readers");
        InMemoryDirectoryServer made = new InMemoryDirectoryServer(config);
        made.importFromLDIF(true, new LDIFReader(new ByteArrayInputStream(LDIF.getBytes(StandardCharsets.UTF_8))));
        made.startListening();
        server = made;
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.shutDown(true);
        }
    }

    static List<LdapUsers> stores() {
        return Stream.of(
                        at().userPattern("uid={0},ou=nowhere,dc=example,dc=org", "uid={0},ou=people,dc=example,dc=org"),
                        at().userSearch("dc=example,dc=org", "(uid={0})", true),
                        at().userSearch("ou=people,dc=example,dc=org", "(&(objectClass=person)(uid={0}))", false)
                                .searchAs("cn=reader", "readers"),
                        at().userSearch("ou=people,dc=example,dc=org", "(uid={0})", false)
                                .userPassword("userPassword"))
                .map(builder -> builder.roleSearch("ou=groups,dc=example,dc=org", "(member={0})", false)
                        .roleName("cn")
                        .build())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void knowsWhoHasTheRightPassword(LdapUsers users) {
        assertEquals(new Identity("ann", Set.of("admin")), users.verify("ann", "right"));
        assertEquals(new Identity("b,o*b (x)", Set.of("staff")), users.verify("b,o*b (x)", "bobs"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void refusesEverybodyElse(LdapUsers users) {
        for (String[] wrong : new String[][] {
            {"ann", "wrong"},
            {"ann", ""},
            {"nobody", "right"},
            {"nobody", ""},
            {"", "right"},
            {"", ""},
            {"*", "right"},
            {"a*", "right"},
            {"ann)(uid=*", "right"},
            {"*)(objectClass=*", "right"},
            {"ann,ou=people", "right"},
            {"ann\\00", "right"},
            {"ann\0", "right"},
        }) {
            assertNull(users.verify(wrong[0], wrong[1]), wrong[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void findsWhoIsVerifiedAlready(LdapUsers users) {
        assertEquals(new Identity("ann", Set.of("admin")), users.verify(new Proof.Kerberos("ann")));
        assertNull(users.verify(new Proof.Kerberos("nobody")));
        assertNull(users.verify(new Proof.Kerberos("*")));
    }

    @Test
    void findsRolesOfRoles() {
        LdapUsers users = at().userSearch("dc=example,dc=org", "(uid={0})", true)
                .roleSearch("ou=groups,dc=example,dc=org", "(member={0})", false)
                .nestedRoles(true)
                .commonRole("everybody")
                .userRole("employeeType")
                .build();
        assertEquals(new Identity("ann", Set.of("admin", "staff", "everybody", "clerk")), users.verify("ann", "right"));
    }

    @Test
    void findsRolesByWhatTheyLoggedInWithAndByAnAttribute() {
        LdapUsers users = at().userSearch("dc=example,dc=org", "(uid={0})", true)
                .roleSearch("dc=example,dc=org", "(&(uid={1})(employeeType={2}))", true)
                .roleAttribute("employeeType")
                .roleName("cn")
                .build();
        assertEquals(new Identity("ann", Set.of("Ann")), users.verify("ann", "right"));
    }

    @Test
    void answersDigestsIfItMayReadPasswords() {
        LdapUsers users = at().userSearch("dc=example,dc=org", "(uid={0})", true)
                .userPassword("userPassword")
                .build();
        DigestAlgorithm md5 = DigestAlgorithm.MD5;
        String response = md5.hex(md5.hex("ann:r:right") + ":rest");
        assertEquals(
                "ann",
                Objects.requireNonNull(users.verify(new Proof.Digest("ann", "r", md5, "rest", response)))
                        .name());
    }

    @Test
    void saysThatItCanNotTellWithoutItsDirectory() {
        LdapUsers users =
                LdapUsers.at("ldap://127.0.0.1:1").userPattern("uid={0},dc=x").build();
        assertThrows(StoreUnavailableException.class, () -> users.verify("ann", "right"));
        LdapUsers wrongReader = at().userSearch("dc=example,dc=org", "(uid={0})", true)
                .searchAs("cn=reader", "wrong")
                .build();
        assertThrows(StoreUnavailableException.class, () -> wrongReader.verify("ann", "right"));
    }

    @Test
    void asksTheSecondServerIfTheFirstDoesNotAnswer() {
        LdapUsers users = LdapUsers.at("ldap://127.0.0.1:1")
                .alternate("ldap://127.0.0.1:" + Objects.requireNonNull(server).getListenPort())
                .userPattern("uid={0},ou=people,dc=example,dc=org")
                .build();
        assertEquals(new Identity("ann", Set.of()), users.verify("ann", "right"));
    }

    private static LdapUsersBuilder at() {
        return LdapUsers.at("ldap://127.0.0.1:" + Objects.requireNonNull(server).getListenPort());
    }
}
