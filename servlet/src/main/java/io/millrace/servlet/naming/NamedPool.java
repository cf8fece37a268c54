package io.millrace.servlet.naming;

import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database pool that an application looks up by its name. Its figures are those of DBCP 1 and 2, tomcat-jdbc, HikariCP and others with
 * properties of these names. Thread-safe.
 */
public final class NamedPool {

    private static final MetricFamily CONNECTIONS = MetricFamily.gauge(
            "millrace_datasource_connections", "Connections of a database pool: in use, idle, and the most");

    static final Set<String> TYPES = Set.of("javax.sql.DataSource", "javax.sql.XADataSource");

    private final String name;
    private final Supplier<@Nullable Object> made;

    NamedPool(String name, Supplier<@Nullable Object> made) {
        this.name = name;
        this.made = made;
    }

    /** Adds its metrics. */
    public void addTo(MetricGroup group) {
        group.number(CONNECTIONS, () -> known(active()), "name", name, "state", "active");
        group.number(CONNECTIONS, () -> known(idle()), "name", name, "state", "idle");
        group.number(CONNECTIONS, () -> known(maxTotal()), "name", name, "state", "limit");
    }

    private static double known(int figure) {
        return figure < 0 ? Double.NaN : figure;
    }

    /** Below {@code java:comp/env}, such as {@code jdbc/shop}. */
    public String name() {
        return name;
    }

    /** Connections in use; 0 before the first lookup, and -1 if the pool does not tell. */
    public int active() {
        return first("NumActive", "Active", "HikariPoolMXBean.ActiveConnections");
    }

    /** Connections that wait to be used. */
    public int idle() {
        return first("NumIdle", "Idle", "HikariPoolMXBean.IdleConnections");
    }

    /** The most connections. */
    public int maxTotal() {
        return first("MaxTotal", "MaxActive", "MaximumPoolSize");
    }

    /** The most connections that wait to be used. */
    public int maxIdle() {
        return first("MaxIdle", "MinimumIdle");
    }

    /** The connections with which it begins. */
    public int initialSize() {
        return first("InitialSize", "MinimumIdle");
    }

    /** The first of these properties that the pool has. */
    private int first(String... properties) {
        Object pool = made.get();
        if (pool == null) {
            return 0;
        }
        for (String property : properties) {
            Object value = pool;
            for (String step : property.split("\\.", -1)) {
                value = value == null ? null : read(value, step);
            }
            if (value instanceof Integer number) {
                return number;
            }
        }
        return -1;
    }

    private static @Nullable Object read(Object from, String property) {
        try {
            return from.getClass().getMethod("get" + property).invoke(from);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException otherKind) {
            return null;
        }
    }
}
