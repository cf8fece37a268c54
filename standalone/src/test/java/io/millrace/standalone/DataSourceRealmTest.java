package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.spi.ObjectFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataSourceRealm in server.xml … */
final class DataSourceRealmTest {

    private static final String FILL = "CREATE TABLE IF NOT EXISTS users (n VARCHAR(9) PRIMARY KEY, p VARCHAR(9));"
            + "CREATE TABLE IF NOT EXISTS roles (n VARCHAR(9), r VARCHAR(9));"
            + "MERGE INTO users VALUES ('ann', 'right');DELETE FROM roles;INSERT INTO roles VALUES ('ann', 'boss')";

    @TempDir
    private Path base = Path.of("");

    private final SharedResources shared = new SharedResources(DataSourceRealmTest.class.getClassLoader());

    @AfterEach
    void stop() {
        shared.close();
    }

    /** What HikariCP has, for one: a factory of its own. */
    public static final class Factory implements ObjectFactory {

        /** For JNDI. */
        public Factory() {}

        @Override
        @SuppressWarnings("JdkObsolete") // as JNDI has it
        public Object getObjectInstance(
                Object reference, @Nullable Name name, @Nullable Context context, @Nullable Hashtable<?, ?> more) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:made;DB_CLOSE_DELAY=-1;INIT=" + FILL.replace(";", "\\;"));
            return source;
        }
    }

    private Realm realm(String resource) throws Exception {
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.writeString(file, """
                <Server><GlobalNamingResources><Resource name="jdbc/users" type="javax.sql.DataSource" %s/></GlobalNamingResources>
                <Service name="Catalina"><Connector port="0"/><Engine name="Catalina" defaultHost="localhost">
                  <Realm className="org.apache.catalina.realm.DataSourceRealm" dataSourceName="jdbc/users" userTable="users"
                      userNameCol="n" userCredCol="p" userRoleTable="roles" roleNameCol="r"/>
                  <Host name="localhost"/>
                </Engine></Service></Server>
                """.formatted(resource));
        Problems problems = new Problems("server.xml");
        return Objects.requireNonNull(Objects.requireNonNull(
                        new BaseDirectory(base).read(file, problems),
                        () -> problems.inOrder().toString())
                .services()
                .get(0)
                .engine()
                .hosts()
                .get(0)
                .realm());
    }

    @Test
    void asksThePoolThatApplicationsShare() throws Exception {
        Realm realm = realm("driverClassName=\"org.h2.Driver\" url=\"jdbc:h2:mem:shared\" maxTotal=\"1\""
                + " maxWaitMillis=\"1000\" connectionInitSqls=\"" + FILL + "\"");
        IdentityStore users = RealmKind.store(realm, shared);
        assertNull(users.verify("ann", "wrong"));
        Identity ann = new Identity("ann", Set.of("boss"));
        assertEquals(ann, users.verify("ann", "right"));
        assertEquals(ann, users.verify("ann", "right"), "the one connection is back");
        Object pool = shared.get("jdbc/users", realm.dataSource());
        assertSame(pool, shared.get("jdbc/users", Map.of()));
    }

    @Test
    void asksADataSourceOfAnotherFactory() throws Exception {
        IdentityStore users = RealmKind.store(realm("factory=\"" + Factory.class.getName() + "\""), shared);
        assertEquals(new Identity("ann", Set.of("boss")), users.verify("ann", "right"));
    }

    @Test
    void saysAtALogInThatItsSourceIsNone() throws Exception {
        Realm realm = realm("factory=\"com.example.Factory\"");
        IdentityStore users = RealmKind.store(realm, shared);
        StoreUnavailableException refused =
                assertThrows(StoreUnavailableException.class, () -> users.verify("ann", "right"));
        assertTrue(String.valueOf(refused.getMessage()).contains("jdbc/users is no DataSource"), refused.getMessage());
    }
}
