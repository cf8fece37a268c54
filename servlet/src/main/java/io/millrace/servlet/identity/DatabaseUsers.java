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
 * Users in two tables of a database, as Tomcat's DataSourceRealm and JDBCRealm have them: one with names and passwords, one
 * with names and roles. One connection for each login; a data source that pools them is welcome.
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

    /** Where connections come from. Any thread. */
    @FunctionalInterface
    public interface Connections {

        /** One for a login, which closes it. May block. */
        Connection open() throws SQLException;
    }

    /** Describes the tables of a database. */
    public static Builder in(DataSource source) {
        return in(source::getConnection);
    }

    /** Describes the tables of a database whose data source is made with the first login, or is none. */
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
            throw new StoreUnavailableException("the users' database does not answer: " + e.getMessage(), e);
        }
        // without the connection, which others may wait for: to derive a key takes long
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
                return stored == null ? null : stored.trim(); // of CHAR columns
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

    /** Names of tables and columns, written into the queries as they are: they are the operator's. */
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
         * Where users are.
         *
         * @param nameColumn has the name in the table of roles, too
         */
        public Builder users(String table, String nameColumn, String passwordColumn) {
            this.nameColumn = nameColumn;
            passwordQuery = "SELECT " + passwordColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
            return this;
        }

        /**
         * Where their roles are; without it users have none. After {@link #users}.
         *
         * @throws IllegalStateException if users were not said before
         */
        public Builder roles(String table, String roleColumn) {
            if (nameColumn == null) {
                throw new IllegalStateException("say users(…) before roles(…): the name's column is the same");
            }
            roleQuery = "SELECT " + roleColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
            return this;
        }

        /** How passwords are written; {@link PasswordFormat#detected()} otherwise. */
        public Builder passwords(PasswordFormat written) {
            format = written;
            return this;
        }

        /**
         * The store.
         *
         * @throws IllegalStateException if it was not said where users are
         */
        public DatabaseUsers build() {
            if (passwordQuery == null) {
                throw new IllegalStateException("say where the users are: users(table, nameColumn, passwordColumn)");
            }
            return new DatabaseUsers(connections, passwordQuery, roleQuery, format);
        }
    }
}
