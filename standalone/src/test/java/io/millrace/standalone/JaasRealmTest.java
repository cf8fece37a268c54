package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.RealmKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.spi.LoginModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JAASRealm in a configuration file … */
final class JaasRealmTest {

    private static final ClassLoader HERE = JaasRealmTest.class.getClassLoader();

    @TempDir
    private Path base = Path.of("");

    /** Lets in everybody, as "somebody" with the role "guest". */
    public static final class Open implements LoginModule {

        private Subject subject = new Subject();

        /** For JAAS. */
        public Open() {}

        @Override
        public void initialize(
                Subject whom, CallbackHandler handler, Map<String, ?> sharedState, Map<String, ?> options) {
            subject = whom;
        }

        @Override
        public boolean login() {
            return true;
        }

        @Override
        public boolean commit() {
            subject.getPrincipals().addAll(List.of(new User("somebody"), new Role("guest")));
            return true;
        }

        @Override
        public boolean abort() {
            return true;
        }

        @Override
        public boolean logout() {
            return true;
        }
    }

    /** A user. */
    public record User(String getName) implements Principal {}

    /** A role. */
    public record Role(String getName) implements Principal {}

    private Realm realm(String attributes) throws IOException {
        Path inside = Files.createDirectories(base.resolve("webapps/shop/META-INF"));
        Files.writeString(
                inside.resolve("context.xml"),
                "<Context><Realm className='org.apache.catalina.realm.JAASRealm' userClassNames='"
                        + User.class.getName()
                        + "' roleClassNames='other.Role, " + Role.class.getName() + "' " + attributes
                        + "/></Context>");
        return Objects.requireNonNull(ContextFiles.inApplicationsAlone(base)
                .read("shop", base.resolve("webapps/shop"))
                .realm());
    }

    private void configuration(String entry) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/jaas.config"), entry + " { " + Open.class.getName() + " required; };\n");
    }

    @Test
    void letsLoginModulesDecide() throws Exception {
        configuration("Shop");
        IdentityStore users = store(realm("appName='Shop' configFile='" + base + "/conf/jaas.config'"), HERE);
        assertEquals(new Identity("somebody", Set.of("guest")), users.verify("any", "thing"));
    }

    @Test
    void isForTheEntryTomcatUnlessItNamesAnother() throws Exception {
        configuration("Tomcat");
        IdentityStore users = store(realm("configFile='" + base + "/conf/jaas.config'"), HERE);
        assertEquals(new Identity("somebody", Set.of("guest")), users.verify("any", "thing"));
    }

    @Test
    void isRefusedIfNobodyCouldLogIn() throws Exception {
        configuration("Shop");
        refused("there is no such file", realm("configFile='" + base + "/conf/no.config'"), HERE);
        refused("no entry \"Other\"", realm("appName='Other' configFile='" + base + "/conf/jaas.config'"), HERE);
        refused(
                "put its jar into lib",
                realm("appName='Shop' configFile='" + base + "/conf/jaas.config'"),
                ClassLoader.getPlatformClassLoader());
        Files.writeString(base.resolve("conf/jaas.config"), "Shop {");
        refused("cannot be read", realm("appName='Shop' configFile='" + base + "/conf/jaas.config'"), HERE);
    }

    private static IdentityStore store(Realm realm, ClassLoader loader) throws OperatorException {
        return RealmKind.store(realm, new SharedResources(loader));
    }

    private static void refused(String reason, Realm realm, ClassLoader loader) {
        OperatorException refusal = assertThrows(OperatorException.class, () -> store(realm, loader));
        assertTrue(String.valueOf(refusal.getMessage()).contains(reason), refusal.getMessage());
    }

    @Test
    void needsTheClassesOfUsers() throws Exception {
        Path inside = Files.createDirectories(base.resolve("webapps/shop/META-INF"));
        Files.writeString(
                inside.resolve("context.xml"),
                "<Context><Realm className='org.apache.catalina.realm.JAASRealm' appName='x'/></Context>");
        String defect = Objects.requireNonNull(ContextFiles.inApplicationsAlone(base)
                        .read("shop", base.resolve("webapps/shop"))
                        .realm())
                .defect();
        assertTrue(String.valueOf(defect).contains("userClassNames"), defect);
    }
}
