package io.millrace.standalone;

import io.millrace.servlet.session.store.JdbcSessionStore;
import io.millrace.servlet.session.store.SessionTable;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.Values;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a JDBCStore in the Manager of a Context names: a Resource, whose pool it shares with the applications that link to it, or
 * a database, for which there is a pool of its own. Pools outlast the application, and are closed when the server has stopped.
 */
final class SessionDatabase {

    private final ContextSettings context;
    private final Values store;

    /** @param store its Store, a JDBCStore */
    private SessionDatabase(ContextSettings context, Values store) {
        this.context = context;
        this.store = store;
    }

    /** Null if its sessions are kept in none. */
    static @Nullable SessionDatabase of(ContextSettings context) {
        return context.isStoredInDatabase()
                ? new SessionDatabase(context, Objects.requireNonNull(context.store()))
                : null;
    }

    /**
     * Why it can't be used; null if nothing is known. Nothing is connected.
     *
     * @param server has the driver
     */
    @Nullable
    String defect(ClassLoader server) {
        Map<String, String> resource = resource();
        if (resource == null) {
            String where = store.flag("localDataSource") ? "its Context" : "GlobalNamingResources of server.xml";
            return "dataSourceName=\"" + store.text("dataSourceName")
                    + "\" on Store: there is no Resource of that name in " + where;
        }
        return NamedResources.isMadeBy(resource, server)
                ? null
                : "the Store in " + store.where() + " needs " + resource.get("driverClassName")
                        + ", which the server does not have; put the driver's jar into lib";
    }

    /**
     * The sessions of an application in it.
     *
     * @param application what its rows have in their column for it
     * @throws OperatorException if it can't be used, and why
     */
    JdbcSessionStore sessions(String application, SharedResources shared) throws OperatorException {
        Map<String, String> resource = Objects.requireNonNull(resource());
        Object source;
        try {
            // those that are not global have names of their own, and change with the Context
            String name = String.valueOf(resource.get("name"));
            boolean global = resource.equals(context.globalResource(name));
            source = shared.get(global ? name : "sessions of " + application + resource, resource);
        } catch (Exception e) {
            throw new OperatorException("the Store in " + store.where() + " cannot be used: " + e);
        }
        if (!(source instanceof DataSource database)) {
            throw new OperatorException("the Store in " + store.where() + " cannot be used: it is not a DataSource");
        }
        return new JdbcSessionStore(database, table(), application);
    }

    private SessionTable table() {
        return new SessionTable(
                store.text("sessionTable", ""),
                store.text("sessionAppCol", ""),
                store.text("sessionIdCol", ""),
                store.text("sessionDataCol", ""),
                store.text("sessionValidCol", ""),
                store.text("sessionMaxInactiveCol", ""),
                store.text("sessionLastAccessedCol", ""));
    }

    /** As a Resource has them; null if the one that is named is not there. */
    private @Nullable Map<String, String> resource() {
        String name = store.text("dataSourceName");
        if (name == null) {
            return ofDatabase();
        }
        if (!store.flag("localDataSource")) {
            return context.globalResource(name);
        }
        Map<String, String> own = context.resources().get(name);
        return own == null ? context.linkedResources().get(name) : own;
    }

    private Map<String, String> ofDatabase() {
        Map<String, String> attributes = new HashMap<>(Map.of("type", "javax.sql.DataSource"));
        put("driverClassName", "driverName", attributes);
        put("url", "connectionURL", attributes);
        put("username", "connectionName", attributes);
        put("password", "connectionPassword", attributes);
        return attributes;
    }

    private void put(String name, String attribute, Map<String, String> to) {
        String value = store.text(attribute);
        if (value != null) {
            to.put(name, value);
        }
    }
}
