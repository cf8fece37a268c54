package io.millrace.standalone;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.naming.EnvValue;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.Values;
import java.util.Hashtable;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import javax.naming.CompositeName;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.ObjectFactory;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSource;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory;
import org.jspecify.annotations.Nullable;

/** The Environment and Resource elements of an application's Context, as names below java:comp/env. */
final class NamedResources {

    /** Names of Tomcat's pools: here it is always DBCP 2, whose names of limits the older ones are turned into. */
    private static final Set<String> POOLS = Set.of(
            "org.apache.tomcat.jdbc.pool.DataSourceFactory",
            "org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory",
            "org.apache.tomcat.dbcp.dbcp.BasicDataSourceFactory",
            "org.apache.commons.dbcp2.BasicDataSourceFactory",
            "org.apache.commons.dbcp.BasicDataSourceFactory");

    private static final Map<String, String> OLD_NAMES = Map.of("maxActive", "maxTotal", "maxWait", "maxWaitMillis");

    private NamedResources() {}

    static void add(ContextSettings context, WebApplication application) {
        for (Values environment : context.environments()) {
            String name = environment.text("name");
            String value = environment.text("value");
            if (name != null && value != null) {
                String type = environment.text("type");
                application.resource(name, environment.flag("override"), loader -> EnvValue.of(type, value, loader));
            }
        }
        context.resources().forEach((name, attributes) -> {
            ResourceSource source = source(name, attributes);
            if (source != null) {
                application.resource(name, false, source);
            }
        });
    }

    /** Null if it is of a kind that nobody here can make. */
    private static @Nullable ResourceSource source(String name, Map<String, String> attributes) {
        String factory = attributes.get("factory");
        if (factory != null && !POOLS.contains(factory)) {
            return loader -> made(name, attributes, factory, loader);
        }
        return "javax.sql.DataSource".equals(attributes.get("type")) ? loader -> pool(attributes, loader) : null;
    }

    private static Object pool(Map<String, String> attributes, ClassLoader loader) throws Exception {
        Properties properties = new Properties();
        attributes.forEach((name, value) -> properties.setProperty(OLD_NAMES.getOrDefault(name, name), value));
        // a pool that starts with connections would need the driver before its loader is known
        String initial = (String) properties.remove("initialSize");
        BasicDataSource pool = BasicDataSourceFactory.createDataSource(properties);
        pool.setDriverClassLoader(loader);
        if (initial != null) {
            pool.setInitialSize(Integer.parseInt(initial.strip()));
        }
        return pool;
    }

    /** By the application's own factory, as javax.naming has it. */
    @SuppressWarnings("JdkObsolete") // its Hashtable
    private static Object made(String name, Map<String, String> attributes, String factory, ClassLoader loader)
            throws Exception {
        Reference reference = new Reference(attributes.getOrDefault("type", "java.lang.Object"), factory, null);
        attributes.forEach((attribute, value) -> reference.add(new StringRefAddr(attribute, value)));
        ObjectFactory maker = Class.forName(factory, true, loader)
                .asSubclass(ObjectFactory.class)
                .getDeclaredConstructor()
                .newInstance();
        Object object = maker.getObjectInstance(reference, new CompositeName(name), null, new Hashtable<>());
        if (object == null) {
            throw new IllegalArgumentException(factory + " made nothing of Resource " + name);
        }
        return object;
    }
}
