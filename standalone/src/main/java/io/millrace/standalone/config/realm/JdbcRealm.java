package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.DatabaseUsers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Element;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Tomcat's JDBCRealm: a new connection for each login. */
public final class JdbcRealm extends DatabaseRealm {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> DRIVER_NAME = GROUP.optional("driverName", TEXT);
    private static final Setting<String> CONNECTION_URL = GROUP.optional("connectionURL", TEXT);
    private static final Setting<String> CONNECTION_NAME = GROUP.optional("connectionName", TEXT);
    private static final Setting<String> CONNECTION_PASSWORD = GROUP.optional("connectionPassword", TEXT);

    JdbcRealm() {
        super("JDBCRealm", GROUP.settings(), CONNECTION_URL);
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) {
        return users(realm, new DriverConnections(resources.server(), realm.element()));
    }

    @Override
    @Nullable
    String driver(Realm realm) {
        return realm.element().find(DRIVER_NAME);
    }

    /** A new connection for each login, from a driver of the server's class loader. Thread-safe. */
    private static final class DriverConnections implements DatabaseUsers.Connections {

        private final ClassLoader drivers;
        /** Null for any driver that accepts the URL. */
        private final @Nullable String driverName;

        private final String url;
        private final Properties properties = new Properties();
        private volatile @Nullable Driver driver;

        /**
         * Neither loads the driver nor connects.
         *
         * @param drivers loads the driver
         */
        DriverConnections(ClassLoader drivers, Element realm) {
            this.drivers = drivers;
            this.driverName = realm.find(DRIVER_NAME);
            this.url = text(realm.find(CONNECTION_URL));
            String user = realm.find(CONNECTION_NAME);
            if (user != null) {
                properties.setProperty("user", user);
            }
            String password = realm.find(CONNECTION_PASSWORD);
            if (password != null) {
                properties.setProperty("password", password);
            }
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
                throw new SQLException(
                        "the driver " + driverName + " cannot be used (" + e + "); put its jar into lib", e);
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
}
