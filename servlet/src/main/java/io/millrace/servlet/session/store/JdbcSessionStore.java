package io.millrace.servlet.session.store;

import io.millrace.servlet.log.ServletLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions as rows of a database table, which several servers may share. Each call is a transaction on its own connection,
 * so the data source should be a pool. The data column has {@link SessionRecord#toBytes}: sessions written by Tomcat are not
 * readable, so the application's name must differ from Tomcat's.
 *
 * <p>A corrupt row is deleted and logged; its session is lost.
 */
public final class JdbcSessionStore implements SessionStore {

    /** The keys that {@link io.millrace.servlet.session} generates; databases differ in how they compare other characters. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    /** Attempts of a transaction that the database rolls back. */
    private static final int ATTEMPTS = 5;

    private static final int UNLIMITED = -1;

    private final DataSource source;
    private final SessionTable table;
    private final String application;
    private volatile int callMillis;
    private volatile boolean hasHeaders = true;

    /**
     * The store of one application. Does not connect yet.
     *
     * @param application the value of the application's column in its rows
     */
    public JdbcSessionStore(DataSource source, SessionTable table, String application) {
        this.source = Objects.requireNonNull(source);
        this.table = Objects.requireNonNull(table);
        this.application = Objects.requireNonNull(application);
    }

    /** Of each read from the network, if the driver supports it; false, as a call may need several, and wait for the pool. */
    @Override
    public boolean limitCalls(Duration timeout) {
        callMillis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
        return false;
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        return hasHeaders && isKey(known.key())
                ? inTransaction(connection -> Optional.ofNullable(readIfNewer(connection, known)))
                        .orElse(null)
                : read(known.key());
    }

    private @Nullable SessionRecord readIfNewer(Connection connection, SessionRecord known) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(table.selectHeader())) {
            select.setString(1, application);
            select.setString(2, known.key());
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                byte[] header = rows.getBytes(1);
                if (header != null && SessionRecord.RecordFormat.isVersion(ByteBuffer.wrap(header), known)) {
                    return known.withLastAccessed(rows.getLong(2));
                }
            }
        } catch (SQLException e) {
            if (!isUnsupported(e)) {
                throw e;
            }
            connection.rollback();
            SessionRecord whole = read(connection, known.key());
            hasHeaders = false;
            return whole;
        }
        return read(connection, known.key());
    }

    /** Class 42 has errors of syntax and names, 22 those of types; Oracle and Derby have others of 42 for a missing function. */
    private static boolean isUnsupported(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLFeatureNotSupportedException
                || state != null && (state.startsWith("42") || state.startsWith("22"));
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
                throw new IOException("the key of the session does not match the row's");
            }
            return session.withLastAccessed(used);
        } catch (IOException damaged) {
            ServletLog.SESSION.sessionRowDamaged(application, String.valueOf(damaged.getMessage()));
            change(connection, table.delete(), application, key);
            return null;
        }
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        if (!isKey(session.key())) {
            throw new IOException(
                    "the session's key is not valid in a row: expected 1 to 100 letters, digits, - and _");
        }
        return session.version() == 0 ? insert(session) : inTransaction(connection -> update(connection, session));
    }

    /** Of concurrent inserts, the primary key lets one succeed; reading deletes a corrupt row. */
    private boolean insert(SessionRecord session) throws IOException {
        return isInserted(session) || (read(session.key()) == null && isInserted(session));
    }

    /**
     * Not preceded by a SELECT in the transaction: InnoDB would lock the gap of the missing row, and two transactions would
     * deadlock.
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

    /** A duplicate key: 23505; MariaDB, Oracle and SQL Server report 23000, which is any constraint violation. */
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
    public boolean touch(String key, long time) throws IOException {
        return isKey(key)
                && inTransaction(
                        connection -> change(connection, table.touch(), time, time, application, key, time) > 0);
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
            // the delete finds nothing if the session was used or taken since the query
            if (session != null && session.expires() <= now && removeUnused(key, session.lastAccessed())) {
                taken.add(session);
            }
        }
        return taken;
    }

    private List<String> expired(Connection connection, long now, int most) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(table.selectExpired())) {
            select.setMaxRows(most);
            select.setString(1, application);
            select.setLong(2, now);
            return keys(select);
        }
    }

    private boolean removeUnused(String key, long lastAccessed) throws IOException {
        return inTransaction(
                connection -> change(connection, table.deleteUnused(), application, key, lastAccessed) > 0);
    }

    @Override
    public int size() throws IOException {
        return inTransaction(connection -> {
            try (PreparedStatement select = connection.prepareStatement(table.count())) {
                select.setString(1, application);
                try (ResultSet rows = select.executeQuery()) {
                    return rows.next() ? rows.getInt(1) : 0;
                }
            }
        });
    }

    @Override
    public List<String> keys(int most) throws IOException {
        return inTransaction(connection -> {
            try (PreparedStatement select = connection.prepareStatement(table.select(table.id(), ""))) {
                select.setMaxRows(most);
                select.setString(1, application);
                return keys(select);
            }
        });
    }

    private static List<String> keys(PreparedStatement select) throws SQLException {
        List<String> keys = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                keys.add(rows.getString(1).trim()); // CHAR columns are padded
            }
        }
        return keys;
    }

    @Override
    public String toString() {
        return "database table " + table.name();
    }

    private static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    /** Executes an update with parameters, which are strings or times. */
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

    private interface Transaction<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Runs a transaction, and repeats it if the database rolls it back, as after a deadlock. */
    private <T> T inTransaction(Transaction<T> transaction) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(transaction);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !isRolledBack(e)) {
                    throw new IOException("the session database failed: " + e.getMessage(), e);
                }
            }
        }
    }

    /** SQLSTATE class 40: transaction rollback. */
    private static boolean isRolledBack(SQLException failed) {
        return failed.getSQLState() != null && failed.getSQLState().startsWith("40");
    }

    private <T> T once(Transaction<T> transaction) throws SQLException {
        try (Connection connection = source.getConnection()) {
            int timeout = limit(connection);
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = transaction.run(connection);
                connection.commit();
                done = true;
                return result;
            } finally {
                end(connection, done, before, timeout);
            }
        }
    }

    /** Limits each read of a connection from the network. Returns the limit before; negative if it was not changed. */
    private int limit(Connection connection) {
        if (callMillis > 0) {
            try {
                int before = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, callMillis);
                return before;
            } catch (SQLFeatureNotSupportedException | AbstractMethodError unsupported) {
                callMillis = 0;
            } catch (SQLException broken) {
                return UNLIMITED; // the transaction shows what is wrong with the connection
            }
        }
        return UNLIMITED;
    }

    /** Restores the connection; the pool handles a broken one. */
    private static void end(Connection connection, boolean done, boolean autoCommit, int timeout) throws SQLException {
        try {
            if (!done) {
                connection.rollback();
            }
            connection.setAutoCommit(autoCommit);
            if (timeout != UNLIMITED) {
                connection.setNetworkTimeout(Runnable::run, timeout);
            }
        } catch (SQLException e) {
            if (done) {
                throw e;
            }
        }
    }
}
