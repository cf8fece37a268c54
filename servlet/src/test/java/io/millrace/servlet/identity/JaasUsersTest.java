package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users whom login modules know … */
final class JaasUsersTest {

    private static final ClassLoader HERE = JaasUsersTest.class.getClassLoader();
    private static final List<String> USERS = List.of(TestLoginModule.User.class.getName());
    private static final List<String> ROLES = List.of(TestLoginModule.Role.class.getName());

    private static Configuration configuration(String module, String... options) {
        Map<String, String> all = new HashMap<>();
        for (String option : options) {
            all.put(option, "true");
        }
        return new Configuration() {
            @Override
            public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
                return name.equals("shop")
                        ? new AppConfigurationEntry[] {
                            new AppConfigurationEntry(module, LoginModuleControlFlag.REQUIRED, all)
                        }
                        : null;
            }
        };
    }

    private static JaasUsers users(String... options) {
        return JaasUsers.of("shop", configuration(TestLoginModule.class.getName(), options), HERE, USERS, ROLES);
    }

    @Test
    void haveTheNameAndTheRolesOfTheirPrincipals() {
        assertEquals(new Identity("Ann", Set.of("reader", "writer")), users().verify("ann", "secret"));
    }

    @Test
    void areNotThoseWithAnotherNameOrPassword() {
        assertNull(users().verify("ann", "guess"));
        assertNull(users().verify("bob", "secret"));
    }

    @Test
    void areRefusedIfNoPrincipalIsAUser() {
        assertNull(users("namesNobody").verify("ann", "secret"));
    }

    @Test
    void areRefusedIfAModuleAsksForMoreThanAPassword() {
        assertNull(users("asksMore").verify("ann", "secret"));
    }

    @Test
    void areLetInThoughTheirModuleDoesNotLogOut() {
        assertEquals(
                new Identity("Ann", Set.of("reader", "writer")), users("stays").verify("ann", "secret"));
    }

    @Test
    void areAskedForRolesWithoutAPasswordIfTheyAreVerifiedAlready() {
        Identity ann = new Identity("Ann", Set.of("reader", "writer"));
        assertEquals(ann, users("trusts").verify(new Proof.Kerberos("ann")));
        assertEquals(ann, users("trusts").verify(new Proof.Relayed("ann")));
        assertNull(users("trusts").verify(new Proof.Kerberos("bob")));
        assertNull(users().verify(new Proof.Kerberos("ann")), "the module needs a password");
        assertNull(users("trusts").verify(new Proof.Digest("ann", "r", DigestAlgorithm.MD5, "", "")));
    }

    @Test
    void leaveTheThreadItsClassLoader() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        users().verify("ann", "secret");
        assertSame(before, thread.getContextClassLoader());
        users().verify("ann", "guess");
        assertSame(before, thread.getContextClassLoader());
    }

    @Test
    void needAnEntryModulesAndClassesOfPrincipals() {
        Configuration known = configuration(TestLoginModule.class.getName());
        refused("no entry \"other\"", () -> JaasUsers.of("other", known, HERE, USERS, ROLES));
        refused(
                "login module no.Such of the JAAS entry \"shop\" is not installed",
                () -> JaasUsers.of("shop", configuration("no.Such"), HERE, USERS, ROLES));
        refused("no class of user principals", () -> JaasUsers.of("shop", known, HERE, List.of(), ROLES));
    }

    private static void refused(String reason, Runnable making) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, making::run);
        assertTrue(String.valueOf(refusal.getMessage()).contains(reason), refusal.getMessage());
    }
}
