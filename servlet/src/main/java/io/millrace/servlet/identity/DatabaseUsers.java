package io.millrace.servlet.identity;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Users in two tables of a database, as in Tomcat's DataSourceRealm and JDBCRealm: one with names and passwords, one with names
 * and roles. Each login uses one connection of the data source, which should be pooled. Thread-safe.
 */
public final class DatabaseUsers implements IdentityStore {

    private final Connections connections;
    private final String passwordQuery;
    private final @Nullable String roleQuery;
    private final StoredPasswords passwords;

    private DatabaseUsers(
            Connections connections, String passwordQuery, @Nullable String roleQuery, PasswordFormat format) {
        this.connections = connections;
        this.passwordQuery = passwordQuery;
        this.roleQuery = roleQuery;
        passwords = new StoredPasswords(format);
    }

    /** Opens connections. Thread-safe. */
    @FunctionalInterface
    public interface Connections {

        /** Opens a connection for one login, which closes it. May block. */
        Connection open() throws SQLException;
    }

    /** Describes the tables of a database. */
    public static Builder in(DataSource source) {
        return in(source::getConnection);
    }

    /** Describes the tables of a database without a data source, or whose data source is created by the first login. */
    public static Builder in(Connections connections) {
        return new Builder(connections);
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        String stored;
        Set<String> roles;
        try (Connection connection = connections.open()) {
            stored = password(connection, proof.name());
            roles = roles(connection, proof.name());
        } catch (SQLException e) {
            throw new StoreUnavailableException("the query of the user database failed: " + e.getMessage(), e);
        }
        // after the connection was closed, because deriving a key takes long and others may wait for the connection
        if (stored != null) {
            passwords.seen(stored);
        }
        return passwords.matches(proof, stored) ? new Identity(proof.name(), roles) : null;
    }

    private @Nullable String password(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(passwordQuery)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                String stored = rows.next() ? rows.getString(1) : null;
                return stored == null ? null : stored.trim(); // CHAR columns are padded
            }
        }
    }

    private Set<String> roles(Connection connection, String name) throws SQLException {
        Set<String> roles = new HashSet<>();
        if (roleQuery == null) {
            return roles;
        }
        try (PreparedStatement statement = connection.prepareStatement(roleQuery)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String role = rows.getString(1);
                    if (role != null) {
                        roles.add(role.trim());
                    }
                }
            }
        }
        return roles;
    }

    /**
     * Collects the names of tables and columns. They are inserted into SQL statements without escaping, so they must come from
     * the operator. Not thread-safe.
     */
    public static final class Builder {

        private final Connections connections;
        private PasswordFormat format = PasswordFormat.detected();
        private @Nullable String passwordQuery;
        private @Nullable String roleQuery;
        private @Nullable String nameColumn;

        private Builder(Connections connections) {
            this.connections = Objects.requireNonNull(connections);
        }

        /**
         * Sets the table of users.
         *
         * @param nameColumn the column with the user name, in the table of roles too
         */
        public Builder users(String table, String nameColumn, String passwordColumn) {
            this.nameColumn = nameColumn;
            passwordQuery = "SELECT " + passwordColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
            return this;
        }

        /**
         * Sets the table of roles. Without it, users have no roles. Call {@link #users} first.
         *
         * @throws IllegalStateException if {@link #users} was not called
         */
        public Builder roles(String table, String roleColumn) {
            if (nameColumn == null) {
                throw new IllegalStateException("call users(…) before roles(…), which uses its column of user names");
            }
            roleQuery = "SELECT " + roleColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
            return this;
        }

        /** Sets the format of the stored passwords. Default: {@link PasswordFormat#detected()}. */
        public Builder passwords(PasswordFormat written) {
            format = written;
            return this;
        }

        /**
         * Creates the store, without connecting to the database.
         *
         * @throws IllegalStateException if {@link #users} was not called
         */
        public DatabaseUsers build() {
            if (passwordQuery == null) {
                throw new IllegalStateException("no table of users: call users(table, nameColumn, passwordColumn)");
            }
            return new DatabaseUsers(connections, passwordQuery, roleQuery, format);
        }
    }
}
