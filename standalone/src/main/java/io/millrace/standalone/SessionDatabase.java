package io.millrace.standalone;

import io.millrace.servlet.session.store.JdbcSessionStore;
import io.millrace.settings.Setting;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.context.SessionKinds.JdbcStore;
import io.millrace.standalone.config.schema.Element;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database of a JDBCStore in the Manager of a Context: a Resource, whose pool it shares with the applications that link to
 * it, or a database URL, for which it has a pool of its own. Pools outlive the application and are closed after the server has stopped.
 */
final class SessionDatabase {

    private final ContextSettings context;
    private final Element store;

    /** @param store of type JDBCStore */
    private SessionDatabase(ContextSettings context, Element store) {
        this.context = context;
        this.store = store;
    }

    /** Null if sessions are not stored in a database. */
    static @Nullable SessionDatabase of(ContextSettings context) {
        return context.isStoredInDatabase()
                ? new SessionDatabase(context, Objects.requireNonNull(context.store()))
                : null;
    }

    /**
     * Returns why it cannot be used; null if no reason is known, or if it is one of the Context's problems. Does not connect.
     *
     * @param server loads the driver
     */
    @Nullable
    String defect(ClassLoader server) {
        if (store.defect() != null) {
            return null;
        }
        Map<String, String> resource = resource();
        if (resource == null) {
            String where =
                    store.get(JdbcStore.LOCAL_DATA_SOURCE) ? "its Context" : "GlobalNamingResources of server.xml";
            return "dataSourceName=\"" + store.find(JdbcStore.DATA_SOURCE_NAME)
                    + "\" on Store: there is no Resource of that name in " + where;
        }
        return NamedResources.isMadeBy(resource, server)
                ? null
                : "the Store in " + store.where() + " needs " + resource.get("driverClassName")
                        + ", which the server does not have; put the driver's jar into lib";
    }

    /**
     * Returns the store of an application's sessions. One that cannot be used fails whenever it is needed, as a database that is
     * down does: what has no session is served.
     *
     * @param application the beginning of the value of its rows in the application column
     * @param part the rest of it
     */
    JdbcSessionStore sessions(String application, String part, SharedResources shared) {
        String reason = store.defect() == null ? defect(shared.server()) : store.defect();
        DataSource source;
        try {
            source = reason == null ? source(application, shared) : unusable(reason);
        } catch (OperatorException e) {
            source = unusable(String.valueOf(e.getMessage()));
        }
        return new JdbcSessionStore(source, JdbcStore.table(store), application + part);
    }

    private static DataSource unusable(String reason) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(reason, arguments);
                    }
                    throw new SQLException(reason);
                });
    }

    private DataSource source(String application, SharedResources shared) throws OperatorException {
        Map<String, String> resource = Objects.requireNonNull(resource());
        Object source;
        try {
            // Resources that are not global get a name of their own, which changes with the Context
            String name = String.valueOf(resource.get("name"));
            boolean global = resource.equals(context.globalResource(name));
            source = shared.get(global ? name : "sessions of " + application + resource, resource);
        } catch (Exception e) {
            throw new OperatorException("the Store in " + store.where() + " cannot be used: " + e);
        }
        if (!(source instanceof DataSource database)) {
            throw new OperatorException("the Store in " + store.where() + " cannot be used: it is not a DataSource");
        }
        return database;
    }

    /** Returns the attributes of the Resource; null if there is none of that name. */
    private @Nullable Map<String, String> resource() {
        String name = store.find(JdbcStore.DATA_SOURCE_NAME);
        if (name == null) {
            return ofDatabase();
        }
        if (!store.get(JdbcStore.LOCAL_DATA_SOURCE)) {
            return context.globalResource(name);
        }
        Map<String, String> own = context.resources().get(name);
        return own == null ? context.linkedResources().get(name) : own;
    }

    private Map<String, String> ofDatabase() {
        Map<String, String> attributes = new HashMap<>(Map.of("type", "javax.sql.DataSource"));
        put("driverClassName", JdbcStore.DRIVER_NAME, attributes);
        put("url", JdbcStore.CONNECTION_URL, attributes);
        put("username", JdbcStore.CONNECTION_NAME, attributes);
        put("password", JdbcStore.CONNECTION_PASSWORD, attributes);
        return attributes;
    }

    private void put(String name, Setting<String> setting, Map<String, String> to) {
        String value = store.find(setting);
        if (value != null) {
            to.put(name, value);
        }
    }
}
