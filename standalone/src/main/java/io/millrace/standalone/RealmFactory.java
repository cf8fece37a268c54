package io.millrace.standalone;

import io.millrace.servlet.identity.DatabaseUsers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.JaasUsers;
import io.millrace.servlet.identity.LdapUsers;
import io.millrace.servlet.identity.LdapUsersBuilder;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.RealmConfig;
import io.millrace.standalone.config.Values;
import io.millrace.text.Placeholders;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.URIParameter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.login.Configuration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Creates identity stores from Realm elements. */
final class RealmFactory {

    /** If JNDIRealm's userPattern has several patterns, each is in parentheses. */
    private static final Pattern IN_PARENTHESES = Pattern.compile("\\(([^()]*)\\)");

    /** The values of placeholders in files of users: system properties, else environment variables, as in server.xml. */
    static final Placeholders VARIABLES = Placeholders.ofSystem(Map.of());

    private RealmFactory() {}

    /**
     * The store of a Realm element.
     *
     * @param shared provides the Resources of DataSourceRealms, the database drivers and the login modules
     * @throws OperatorException if it cannot be used; the message is the reason
     */
    static IdentityStore store(RealmConfig realm, SharedResources shared) throws OperatorException {
        try {
            IdentityStore store = make(realm, shared);
            // nested realms have this setting each
            boolean strips = realm.nested().isEmpty() && realm.values().flag("stripRealmForGss");
            return strips ? IdentityStore.withoutKerberosRealm(store) : store;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new OperatorException(
                    "the Realm in " + realm.values().where() + " cannot be used: " + e.getMessage());
        }
    }

    private static IdentityStore make(RealmConfig realm, SharedResources shared) throws OperatorException {
        Values values = realm.values();
        return switch (realm.kind()) {
            case USERS_FILE -> usersFile(realm);
            case JDBC ->
                database(
                        realm,
                        DriverConnections.of(
                                shared.server(),
                                values.text("driverName"),
                                values.text("connectionURL", ""),
                                values.text("connectionName"),
                                values.text("connectionPassword")));
            case DATA_SOURCE -> database(realm, () -> pool(realm, shared).getConnection());
            case LDAP -> directory(realm);
            case JAAS -> modules(realm, shared.server());
            case AUTHENTICATED -> IdentityStore.anyVerified();
            case COMBINED -> IdentityStore.anyOf(nested(realm, shared));
            case LOCK_OUT ->
                new LockOut(
                        IdentityStore.anyOf(nested(realm, shared)),
                        values.number("failureCount"),
                        Duration.ofSeconds(values.number("lockOutTime")),
                        values.number("cacheSize"));
            case NOBODY -> IdentityStore.NONE;
        };
    }

    private static IdentityStore[] nested(RealmConfig realm, SharedResources shared) throws OperatorException {
        List<IdentityStore> stores = new ArrayList<>();
        for (RealmConfig each : realm.nested()) {
            stores.add(store(each, shared));
        }
        return stores.toArray(IdentityStore[]::new);
    }

    private static IdentityStore usersFile(RealmConfig realm) throws OperatorException {
        Path file = Objects.requireNonNull(realm.usersFile());
        if (Files.notExists(file)) {
            return IdentityStore.NONE; // as Tomcat; Preflight warns
        }
        try {
            return UsersFile.read(file, realm.passwords(), VARIABLES::valueOf);
        } catch (IOException e) {
            throw new OperatorException(String.valueOf(e.getMessage()));
        }
    }

    /** The pool that applications link to. Created at the first login, so that check does not connect. */
    private static DataSource pool(RealmConfig realm, SharedResources shared) throws SQLException {
        String name = realm.values().text("dataSourceName", "");
        Object made;
        try {
            // a pool of a Context has a name that changes with its attributes
            boolean local = realm.values().flag("localDataSource");
            made = shared.get(local ? "users of " + realm.dataSource() : name, realm.dataSource());
        } catch (Exception e) {
            throw new SQLException("the Resource " + name + " cannot be used: " + e.getMessage(), e);
        }
        if (made instanceof DataSource pool) {
            return pool;
        }
        throw new SQLException("the Resource " + name + " is no DataSource, or its jar is not in lib");
    }

    private static IdentityStore database(RealmConfig realm, DatabaseUsers.Connections connections) {
        Values values = realm.values();
        DatabaseUsers.Builder users = DatabaseUsers.in(connections)
                .users(values.text("userTable", ""), values.text("userNameCol", ""), values.text("userCredCol", ""))
                .passwords(realm.passwords());
        String roles = values.text("userRoleTable");
        String role = values.text("roleNameCol");
        return (roles == null || role == null ? users : users.roles(roles, role)).build();
    }

    /** As in Tomcat, a file that does not exist is looked up as a resource of the class loader. */
    private static IdentityStore modules(RealmConfig realm, ClassLoader server) throws OperatorException {
        Values values = realm.values();
        Path file = realm.usersFile();
        return JaasUsers.of(
                values.text("appName", "Tomcat"),
                file == null ? ofProcess() : configuration(file, values.text("configFile", ""), server),
                server,
                names(values.text("userClassNames", "")),
                names(values.text("roleClassNames", "")));
    }

    private static Configuration configuration(Path file, String name, ClassLoader server) throws OperatorException {
        URL resource = server.getResource(name);
        if (Files.notExists(file) && resource == null) {
            throw new OperatorException(file + ": there is no such file, which configFile of a JAASRealm names");
        }
        try {
            URI uri = Files.exists(file) || resource == null ? file.toUri() : resource.toURI();
            return Configuration.getInstance("JavaLoginConfig", new URIParameter(uri));
        } catch (NoSuchAlgorithmException | URISyntaxException e) {
            throw new OperatorException(file + ": cannot be read as a JAAS configuration (" + e.getMessage() + ")");
        }
    }

    /** The configuration of -Djava.security.auth.login.config. */
    private static Configuration ofProcess() throws OperatorException {
        try {
            return Configuration.getConfiguration();
        } catch (SecurityException e) {
            throw new OperatorException("JAASRealm has no configFile, and this process has no JAAS configuration"
                    + " (-Djava.security.auth.login.config): " + e.getMessage());
        }
    }

    private static List<String> names(String list) {
        return Stream.of(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static IdentityStore directory(RealmConfig realm) {
        Values values = realm.values();
        LdapUsersBuilder users = LdapUsers.at(values.text("connectionURL", ""))
                .startTls(values.flag("useStartTls"))
                .timeouts(values.duration("connectionTimeout"), values.duration("readTimeout"))
                .nestedRoles(values.flag("roleNested"))
                .passwords(realm.passwords());
        String alternate = values.text("alternateURL");
        if (alternate != null) {
            users.alternate(alternate);
        }
        String name = values.text("connectionName");
        if (name != null) {
            users.searchAs(name, values.text("connectionPassword", ""));
        }
        whenSet(values.text("referrals"), users::referrals);
        whenSet(values.text("derefAliases"), users::derefAliases);
        whenSet(values.text("userPassword"), users::userPassword);
        whenSet(values.text("userRoleName"), users::userRole);
        whenSet(values.text("userRoleAttribute"), users::roleAttribute);
        whenSet(values.text("roleName"), users::roleName);
        whenSet(values.text("userPattern"), pattern -> users.userPattern(patterns(pattern)));
        whenSet(
                values.text("commonRole"),
                roles -> users.commonRole(roles.strip().split("\\s*,\\s*", -1)));
        whenSet(
                values.text("userSearch"),
                filter -> users.userSearch(values.text("userBase", ""), filter, values.flag("userSubtree")));
        // without roleName, Tomcat does not search for roles either
        whenSet(
                values.text("roleName") == null ? null : values.text("roleSearch"),
                filter -> users.roleSearch(values.text("roleBase", ""), filter, values.flag("roleSubtree")));
        return users.build();
    }

    private static void whenSet(@Nullable String value, Consumer<String> then) {
        if (value != null) {
            then.accept(value);
        }
    }

    private static String[] patterns(String text) {
        List<String> patterns = new ArrayList<>();
        Matcher each = IN_PARENTHESES.matcher(text);
        while (each.find()) {
            patterns.add(each.group(1));
        }
        return patterns.isEmpty() ? new String[] {text} : patterns.toArray(String[]::new);
    }

    /** The connections of a JDBCRealm: a new one for each login, from a driver of the server's class loader. Thread-safe. */
    private static final class DriverConnections implements DatabaseUsers.Connections {

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
