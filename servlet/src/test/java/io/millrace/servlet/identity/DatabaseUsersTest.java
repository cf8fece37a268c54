package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatabaseUsersTest {

    private final JdbcDataSource database = new JdbcDataSource();
    private @Nullable Connection kept;

    @BeforeEach
    void fill() throws SQLException {
        database.setURL("jdbc:h2:mem:users");
        Connection connection = database.getConnection();
        kept = connection; // else the database is gone
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE users (name VARCHAR(40), pass CHAR(80))");
            statement.execute("CREATE TABLE roles (name VARCHAR(40), role_name VARCHAR(40))");
            statement.execute("INSERT INTO users VALUES ('ann', 'right'), ('nopass', NULL),"
                    + " ('bob', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=')");
            statement.execute("INSERT INTO roles VALUES ('ann', 'admin'), ('ann', 'boss'), ('bob', NULL)");
        }
    }

    @AfterEach
    void forget() throws SQLException {
        if (kept != null) {
            kept.close();
        }
    }

    @Test
    void findsUsersWithTheirRoles() {
        assertEquals(new Identity("ann", Set.of("admin", "boss")), users().verify("ann", "right"));
        assertEquals(new Identity("bob", Set.of()), users().verify("bob", "secret"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "ann, wrong",
                "ann, \"\"",
                "nobody, right",
                "nopass, \"\"",
                "nopass, null",
                "bob, {SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
                "ann' OR '1'='1, right",
                "' UNION SELECT 'x' --, x",
            })
    void refuses(String name, String password) {
        assertNull(users().verify(name, password));
    }

    @Test
    void givesNoRolesWithoutATableOfThem() {
        DatabaseUsers users =
                DatabaseUsers.in(database).users("users", "name", "pass").build();
        assertEquals(new Identity("ann", Set.of()), users.verify("ann", "right"));
    }

    @Test
    void answersDigests() {
        DigestAlgorithm md5 = DigestAlgorithm.MD5;
        String response = md5.hex(md5.hex("ann:r:right") + ":rest");
        assertEquals("ann", name(users().verify(new Proof.Digest("ann", "r", md5, "rest", response))));
        assertNull(users().verify(new Proof.Digest("ann", "r", md5, "other", response)));
    }

    @Test
    void saysThatItCanNotTellWithoutItsDatabase() {
        DatabaseUsers users = DatabaseUsers.in(database)
                .users("no_such_table", "name", "pass")
                .build();
        assertThrows(StoreUnavailableException.class, () -> users.verify("ann", "right"));
    }

    private static String name(@Nullable Identity identity) {
        return identity == null ? "nobody" : identity.name();
    }

    private DatabaseUsers users() {
        return DatabaseUsers.in(database)
                .users("users", "name", "pass")
                .roles("roles", "role_name")
                .build();
    }
}
