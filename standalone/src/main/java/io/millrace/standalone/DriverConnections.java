package io.millrace.standalone;

import io.millrace.servlet.identity.DatabaseUsers;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The connections of a JDBCRealm: a new one for each login, from a driver of the server's class loader. Thread-safe. */
final class DriverConnections implements DatabaseUsers.Connections {

    private final ClassLoader drivers;
    private final @Nullable String driverName;
    private final String url;
    private final Properties properties = new Properties();
    private volatile @Nullable Driver driver;

    private DriverConnections(ClassLoader drivers, @Nullable String driverName, String url) {
        this.drivers = drivers;
        this.driverName = driverName;
        this.url = url;
    }

    /**
     * Neither loads the driver nor connects.
     *
     * @param drivers loads the driver
     * @param driverName null for any driver that accepts the URL
     */
    static DriverConnections of(
            ClassLoader drivers,
            @Nullable String driverName,
            String url,
            @Nullable String user,
            @Nullable String password) {
        DriverConnections connections = new DriverConnections(drivers, driverName, url);
        if (user != null) {
            connections.properties.setProperty("user", user);
        }
        if (password != null) {
            connections.properties.setProperty("password", password);
        }
        return connections;
    }

    @Override
    public Connection open() throws SQLException {
        Driver known = driver;
        if (known == null) {
            known = load();
            driver = known;
        }
        Connection connection = known.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver " + known.getClass().getName() + " does not accept the URL " + url);
        }
        return connection;
    }

    private Driver load() throws SQLException {
        if (driverName == null) {
            return anyFor(url);
        }
        try {
            return Class.forName(driverName, true, drivers)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new SQLException("the driver " + driverName + " cannot be used (" + e + "); put its jar into lib", e);
        }
    }

    /** DriverManager alone returns only drivers of the caller's class loader. */
    private Driver anyFor(String address) throws SQLException {
        for (Driver each : ServiceLoader.load(Driver.class, drivers)) {
            if (each.acceptsURL(address)) {
                return each;
            }
        }
        return DriverManager.getDriver(address);
    }
}
