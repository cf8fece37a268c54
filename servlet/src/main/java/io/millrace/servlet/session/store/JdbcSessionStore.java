package io.millrace.servlet.session.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions as rows of a table in a database, which several servers may share. Each call is a transaction on a connection of its
 * own: let the data source be a pool. What is stored is {@link SessionRecord#toBytes}; rows of Tomcat are not read, and with
 * another application's name not met.
 *
 * <p>A damaged row is removed, with one line in the log; its session is gone, the others stay.
 */
public final class JdbcSessionStore implements SessionStore {

    /** What {@link io.millrace.servlet.session} makes; databases differ in what else they take for a text. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    /** How often a transaction is tried that the database itself rolls back. */
    private static final int ATTEMPTS = 5;

    private final DataSource source;
    private final SessionTable table;
    private final String application;

    /**
     * The sessions of one application. Nothing is connected yet.
     *
     * @param application what its rows have in their column for it
     */
    public JdbcSessionStore(DataSource source, SessionTable table, String application) {
        this.source = Objects.requireNonNull(source);
        this.table = Objects.requireNonNull(table);
        this.application = Objects.requireNonNull(application);
    }

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        return isKey(key)
                ? inTransaction(connection -> Optional.ofNullable(read(connection, key)))
                        .orElse(null)
                : null;
    }

    private @Nullable SessionRecord read(Connection connection, String key) throws SQLException {
        byte[] data;
        long used;
        try (PreparedStatement select = connection.prepareStatement(table.selectOne())) {
            select.setString(1, application);
            select.setString(2, key);
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                data = rows.getBytes(1);
                used = rows.getLong(2);
            }
        }
        try {
            SessionRecord session = SessionRecord.fromBytes(data == null ? new byte[0] : data);
            if (!session.key().equals(key)) {
                throw new IOException("it is the session of another key");
            }
            return session.withLastAccessed(used);
        } catch (IOException damaged) {
            StoreLog.LOG.damagedRow(application, String.valueOf(damaged.getMessage()));
            change(connection, table.delete(), application, key);
            return null;
        }
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        if (!isKey(session.key())) {
            throw new IOException("a session's key is none of a row");
        }
        return session.version() == 0 ? insert(session) : inTransaction(connection -> update(connection, session));
    }

    /** Of several at once, the table's key lets one succeed; reading makes room where a damaged row is. */
    private boolean insert(SessionRecord session) throws IOException {
        return isInserted(session) || (read(session.key()) == null && isInserted(session));
    }

    /**
     * Without a look before it: InnoDB would lock the gap in which the row is missing, and of two that do so each waits for the
     * other.
     */
    private boolean isInserted(SessionRecord session) throws IOException {
        try {
            return inTransaction(connection -> {
                put(connection, table.insert(), session);
                return true;
            });
        } catch (IOException e) {
            if (e.getCause() instanceof SQLException failed && isDuplicate(failed)) {
                return false;
            }
            throw e;
        }
    }

    /** A key that is there; 23000, any constraint, is what MariaDB, Oracle and SQL Server say of it. */
    private static boolean isDuplicate(SQLException failed) {
        return "23505".equals(failed.getSQLState()) || "23000".equals(failed.getSQLState());
    }

    private boolean update(Connection connection, SessionRecord session) throws SQLException {
        if (change(connection, table.lock(), application, session.key()) == 0) {
            return false;
        }
        SessionRecord stored = read(connection, session.key());
        if (stored == null || stored.version() != session.version()) {
            return false;
        }
        put(connection, table.update(), session);
        return true;
    }

    private void put(Connection connection, String sql, SessionRecord session) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, session.withVersion(session.version() + 1).toBytes());
            statement.setInt(2, session.maxIdleSeconds());
            statement.setLong(3, session.lastAccessed());
            statement.setString(4, application);
            statement.setString(5, session.key());
            statement.executeUpdate();
        }
    }

    @Override
    public void touch(String key, long lastAccessed) throws IOException {
        if (isKey(key)) {
            inTransaction(
                    connection -> change(connection, table.touch(), lastAccessed, application, key, lastAccessed));
        }
    }

    @Override
    public boolean remove(String key) throws IOException {
        return isKey(key) && inTransaction(connection -> change(connection, table.delete(), application, key) > 0);
    }

    @Override
    public List<SessionRecord> takeExpired(long now, int most) throws IOException {
        List<SessionRecord> taken = new ArrayList<>();
        for (String key : inTransaction(connection -> expired(connection, now, most))) {
            SessionRecord session = read(key);
            // used or taken since the first look: the delete finds nothing
            if (session != null && session.expires() <= now && removeUnused(key, session.lastAccessed())) {
                taken.add(session);
            }
        }
        return taken;
    }

    private List<String> expired(Connection connection, long now, int most) throws SQLException {
        List<String> keys = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(table.selectExpired())) {
            select.setMaxRows(most);
            select.setString(1, application);
            select.setLong(2, now);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    keys.add(rows.getString(1).trim()); // of CHAR columns
                }
            }
        }
        return keys;
    }

    private boolean removeUnused(String key, long lastAccessed) throws IOException {
        return inTransaction(
                connection -> change(connection, table.deleteUnused(), application, key, lastAccessed) > 0);
    }

    @Override
    public boolean isEmpty() throws IOException {
        return inTransaction(connection -> {
            try (PreparedStatement select = connection.prepareStatement(table.select(table.id(), ""))) {
                select.setMaxRows(1);
                select.setString(1, application);
                try (ResultSet rows = select.executeQuery()) {
                    return !rows.next();
                }
            }
        });
    }

    private static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    /** Texts and times. */
    private static int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof Long time) {
                    statement.setLong(i + 1, time);
                } else {
                    statement.setString(i + 1, String.valueOf(values[i]));
                }
            }
            return statement.executeUpdate();
        }
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** A transaction that the database rolled back, as one of two that wait for each other, is tried again. */
    private <T> T inTransaction(Work<T> work) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !isRolledBack(e)) {
                    throw new IOException("the sessions' database does not answer: " + e.getMessage(), e);
                }
            }
        }
    }

    /** Class 40 of the SQL states. */
    private static boolean isRolledBack(SQLException failed) {
        return failed.getSQLState() != null && failed.getSQLState().startsWith("40");
    }

    private <T> T once(Work<T> work) throws SQLException {
        try (Connection connection = source.getConnection()) {
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.on(connection);
                connection.commit();
                done = true;
                return result;
            } finally {
                end(connection, done, before);
            }
        }
    }

    /** Puts the connection back as it was; a broken one is the pool's affair. */
    private static void end(Connection connection, boolean done, boolean autoCommit) throws SQLException {
        try {
            if (!done) {
                connection.rollback();
            }
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            if (done) {
                throw e;
            }
        }
    }
}
