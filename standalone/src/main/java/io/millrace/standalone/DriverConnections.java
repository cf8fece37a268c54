package io.millrace.standalone;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A new connection for each login, by a driver from the server's lib directory: the JDBCRealm's. Any thread. */
final class DriverConnections implements DataSource {

    private final @Nullable String driverName;
    private final String url;
    private final Properties properties = new Properties();
    private volatile @Nullable Driver driver;

    private DriverConnections(@Nullable String driverName, String url) {
        this.driverName = driverName;
        this.url = url;
    }

    /**
     * Nothing is loaded or connected yet.
     *
     * @param driverName null: any driver that knows the URL
     */
    static DriverConnections of(
            @Nullable String driverName, String url, @Nullable String user, @Nullable String password) {
        DriverConnections connections = new DriverConnections(driverName, url);
        if (user != null) {
            connections.properties.setProperty("user", user);
        }
        if (password != null) {
            connections.properties.setProperty("password", password);
        }
        return connections;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Driver known = driver;
        if (known == null) {
            known = load();
            driver = known;
        }
        Connection connection = known.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver " + known.getClass().getName() + " does not know the URL " + url);
        }
        return connection;
    }

    private Driver load() throws SQLException {
        if (driverName == null) {
            return DriverManager.getDriver(url);
        }
        try {
            return Class.forName(driverName)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new SQLException("the driver " + driverName + " can't be used (" + e + "); put its jar into lib", e);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the Realm says who connects");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        // drivers log by themselves
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the driver's URL says it");
    }

    @Override
    public int getLoginTimeout() {
        return 0; // as the driver has it
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
