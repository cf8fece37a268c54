package io.millrace.servlet.session.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store in a database … */
final class JdbcSessionStoreTest extends SessionStoreContract {

    private static final SessionRecord SESSION =
            new SessionRecord("k", 0, 1_000, 2_000, 60, Map.of("a", new byte[] {1, 2, 3}), Map.of());

    /** As Tomcat's documentation names it. */
    private static final SessionTable TABLE = new SessionTable(
            "tomcat_sessions",
            "app_name",
            "session_id",
            "session_data",
            "valid_session",
            "max_inactive",
            "last_access");

    private final JdbcDataSource database = new JdbcDataSource();
    private @Nullable Connection kept;

    @BeforeEach
    void make() throws SQLException {
        database.setURL("jdbc:h2:mem:sessions");
        Connection connection = database.getConnection();
        kept = connection; // else the database is gone
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE tomcat_sessions (session_id VARCHAR(100) NOT NULL PRIMARY KEY, valid_session"
                            + " CHAR(1) NOT NULL, max_inactive INT NOT NULL, last_access BIGINT NOT NULL, app_name"
                            + " VARCHAR(255), session_data BLOB)");
        }
    }

    @AfterEach
    void forget() throws SQLException {
        if (kept != null) {
            kept.close();
        }
    }

    @Override
    protected JdbcSessionStore store() {
        return new JdbcSessionStore(database, TABLE, "shop");
    }

    @Override
    protected SessionStore other(SessionStore store) {
        return store();
    }

    private int change(String sql, byte @Nullable [] data) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, data);
            return statement.executeUpdate();
        }
    }

    @Test
    void leavesTheRowsOfOthersAlone() throws Exception {
        SessionStore store = store();
        SessionStore bank = new JdbcSessionStore(database, TABLE, "bank");
        bank.write(SESSION);
        change(
                "INSERT INTO tomcat_sessions VALUES ('ofTomcat', '1', 1, 1000, '/Catalina/localhost/shop', ?)",
                new byte[] {(byte) 0xac, (byte) 0xed});
        assertNull(store.read("k"));
        assertNull(store.read("ofTomcat"));
        assertFalse(store.remove("k"));
        assertFalse(store.write(SESSION), "the id is the table's key alone");
        store.touch("k", 9_000);
        assertEquals(List.of(), store.takeExpired(1L << 40, 10));
        assertTrue(store.isEmpty());
        assertEquals(2_000, read(bank).lastAccessed());
    }

    private static SessionRecord read(SessionStore store) throws IOException {
        SessionRecord found = store.read("k");
        assertNotNull(found);
        return found;
    }

    @Test
    void removesADamagedRowAndKeepsTheOthers() throws Exception {
        SessionStore store = store();
        store.write(new SessionRecord("other", 0, 1, 1, 0, Map.of(), Map.of()));
        for (byte @Nullable [] damage : new byte @Nullable [][] {null, {}, {1, 2, 3}, new byte[100]}) {
            assertTrue(store.write(SESSION));
            assertEquals(1, change("UPDATE tomcat_sessions SET session_data = ? WHERE session_id = 'k'", damage));
            assertNull(store.read("k"));
            assertFalse(store.remove("k"), "removed by the read");
            assertTrue(store.write(SESSION));
            change("UPDATE tomcat_sessions SET session_data = ? WHERE session_id = 'k'", damage);
            assertTrue(store.write(SESSION), "in place of what is damaged");
            assertTrue(store.remove("k"));
        }
        assertNotNull(store.read("other"));
    }

    @Test
    void keepsWhatToolsOfTomcatLookAt() throws Exception {
        store().write(SESSION);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT session_id, valid_session, max_inactive, last_access, app_name FROM tomcat_sessions")) {
            assertTrue(row.next());
            assertEquals("k", row.getString(1));
            assertEquals("1", row.getString(2));
            assertEquals(60, row.getInt(3));
            assertEquals(2_000, row.getLong(4));
            assertEquals("shop", row.getString(5));
        }
    }

    @Test
    void expiresWhatIsIdleForMoreMillisecondsThanAnIntHas() throws IOException {
        SessionStore store = store();
        store.write(new SessionRecord("k", 0, 0, 0, Integer.MAX_VALUE, Map.of(), Map.of()));
        assertEquals(List.of(), store.takeExpired(Integer.MAX_VALUE * 1000L - 1, 1));
        assertEquals(1, store.takeExpired(Integer.MAX_VALUE * 1000L, 1).size());
    }

    @Test
    void saysThatTheDatabaseDoesNotAnswerAndGoesOnWhenItDoes() throws Exception {
        SessionStore store = store();
        store.write(SESSION);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE tomcat_sessions RENAME TO gone");
            assertThrows(IOException.class, () -> store.read("k"));
            assertThrows(IOException.class, () -> store.write(SESSION));
            assertThrows(IOException.class, store::isEmpty);
            statement.execute("ALTER TABLE gone RENAME TO tomcat_sessions");
        }
        assertEquals(1, read(store).version());
    }

    /** The database, whose first transactions fail. */
    private JdbcSessionStore failing(int times, String state) {
        AtomicInteger left = new AtomicInteger(times);
        InvocationHandler connecting = (proxy, getConnection, none) -> {
            if (left.getAndDecrement() > 0) {
                throw new SQLException("a test", state);
            }
            return database.getConnection();
        };
        Object failing =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DataSource.class}, connecting);
        return new JdbcSessionStore((DataSource) failing, TABLE, "shop");
    }

    /** The database, whose connections are proxies of it. */
    private JdbcSessionStore through(Connecting proxy) {
        InvocationHandler connecting = (source, getConnection, none) -> {
            Connection connection = database.getConnection();
            return Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (same, method, arguments) -> proxy.call(connection, method, arguments));
        };
        Object source =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DataSource.class}, connecting);
        return new JdbcSessionStore((DataSource) source, TABLE, "shop");
    }

    private interface Connecting {
        @Nullable
        Object call(Connection connection, Method method, Object @Nullable [] arguments) throws Throwable;
    }

    @Test
    void readsNoDataOfASessionThatIsUnchanged() throws Exception {
        List<String> statements = new ArrayList<>();
        JdbcSessionStore store = through((connection, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && arguments != null) {
                statements.add(String.valueOf(arguments[0]));
            }
            return method.invoke(connection, arguments);
        });
        store.write(SESSION);
        statements.clear();
        assertNotNull(store.readIfNewer(SESSION.withVersion(1)));
        assertEquals(
                List.of("SELECT SUBSTRING(session_data, 1, 32), last_access FROM tomcat_sessions WHERE app_name = ? AND"
                        + " session_id = ?"),
                statements);
    }

    @Test
    void readsWholeSessionsOfADatabaseWithoutSubstring() throws Exception {
        List<String> refused = new ArrayList<>();
        JdbcSessionStore store = through((connection, method, arguments) -> {
            if (arguments != null && String.valueOf(arguments[0]).contains("SUBSTRING")) {
                refused.add("SUBSTRING");
                throw new SQLException("ORA-00904: \"SUBSTRING\": invalid identifier", "42000");
            }
            return method.invoke(connection, arguments);
        });
        store.write(SESSION);
        for (int i = 0; i < 3; i++) {
            SessionRecord read = store.readIfNewer(SESSION.withVersion(1));
            assertNotNull(read);
            assertArrayEquals(new byte[] {1, 2, 3}, read.attributes().get("a"));
        }
        assertEquals(List.of("SUBSTRING"), refused, "it is asked once");
    }

    @Test
    void limitsHowLongItsConnectionsWaitForTheNetwork() throws Exception {
        List<Object> limits = new ArrayList<>();
        JdbcSessionStore store = through((connection, method, arguments) -> switch (method.getName()) {
            case "getNetworkTimeout" -> 77;
            case "setNetworkTimeout" -> {
                limits.add(arguments == null ? "none" : arguments[1]);
                yield null;
            }
            default -> method.invoke(connection, arguments);
        });
        assertFalse(store.limitCalls(Duration.ofSeconds(2)));
        store.read("k");
        assertEquals(List.of(2000, 77), limits, "other users of the pool have the limit that they had");
    }

    @Test
    void worksWithADriverThatLimitsNothing() throws Exception {
        JdbcSessionStore store = through((connection, method, arguments) -> {
            if (method.getName().endsWith("NetworkTimeout")) {
                throw new SQLFeatureNotSupportedException("a test");
            }
            return method.invoke(connection, arguments);
        });
        store.limitCalls(Duration.ofSeconds(2));
        assertTrue(store.write(SESSION));
        assertEquals(1, read(store).version());
    }

    @Test
    void triesAgainWhatTheDatabaseRolledBack() throws Exception {
        assertTrue(failing(4, "40001").write(SESSION));
        assertThrows(IOException.class, () -> failing(5, "40P01").read("k"));
        assertThrows(IOException.class, () -> failing(1, "08006").read("k"));
        assertEquals(1, read(store()).version());
    }

    @Test
    void takesOnlyADuplicateForASessionThatIsThere() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE tomcat_sessions ADD needed INT NOT NULL");
        }
        assertThrows(IOException.class, () -> store().write(SESSION));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sessions", "shop.sessions", "tomcat$sessions", "\"my sessions\"", "`s`.`t`", "[dbo].[s s]"})
    void hasATable(String name) {
        assertTrue(SessionTable.isName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "s; drop table s", "s--", "\"a\"b\"", "s where 1=1", "1s", "a.", "f(x)"})
    void hasNoOtherText(String name) {
        assertFalse(SessionTable.isName(name));
        assertThrows(IllegalArgumentException.class, () -> new SessionTable(name, "a", "b", "c", "d", "e", "f"));
    }
}
