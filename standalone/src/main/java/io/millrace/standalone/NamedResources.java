package io.millrace.standalone;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.naming.EnvValue;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.PoolAttributes;
import io.millrace.standalone.config.TomcatFactories;
import io.millrace.standalone.config.Values;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.naming.CompositeName;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.ObjectFactory;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSource;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory;
import org.jspecify.annotations.Nullable;

/** Binds the Environment and Resource elements of an application's Context below java:comp/env. */
final class NamedResources {

    private NamedResources() {}

    /** @param shared the targets of ResourceLink elements */
    static void add(ContextSettings context, WebApplication application, SharedResources shared) {
        for (Values environment : context.environments()) {
            add(environment.text("name"), environment, environment.flag("override"), application);
        }
        context.resources().forEach((name, attributes) -> {
            if (isMade(attributes)) {
                application.resource(name, false, loader -> make(name, attributes, loader));
            }
        });
        Map<String, String> transaction = context.transaction();
        if (transaction != null && isMade(transaction)) {
            application.resource(
                    "java:comp/UserTransaction", false, loader -> make("UserTransaction", transaction, loader));
        }
        context.linkedEnvironments().forEach((name, environment) -> add(name, environment, false, application));
        context.linkedResources().forEach((name, attributes) -> {
            if (isMade(attributes)) {
                application.resource(name, false, new LinkedResource(attributes, shared, application.contextPath()));
            }
        });
    }

    private static void add(
            @Nullable String name, Values environment, boolean overridable, WebApplication application) {
        String value = environment.text("value");
        if (name != null && value != null) {
            String type = environment.text("type");
            application.resource(name, overridable, loader -> EnvValue.of(type, value, loader));
        }
    }

    /** Whether its type is supported. */
    private static boolean isMade(Map<String, String> attributes) {
        return TomcatFactories.isMade(attributes.get("type"), attributes.get("factory"));
    }

    private static boolean isPool(Map<String, String> attributes) {
        String factory = attributes.get("factory");
        return factory == null || PoolAttributes.isPool(factory);
    }

    /** Whether a class loader has the driver of a pool, or the factory and the type of another object. */
    static boolean isMadeBy(Map<String, String> attributes, ClassLoader loader) {
        if (MailSession.isOne(attributes)) {
            return MailSession.isMadeBy(loader);
        }
        if (isPool(attributes)) {
            String driver = attributes.get("driverClassName");
            return driver == null || has(driver, loader);
        }
        String factory = String.valueOf(attributes.get("factory"));
        boolean factoryThere = factory.equals(BeanResource.FACTORY) || has(factory, loader);
        return factoryThere && has(attributes.getOrDefault("type", "java.lang.Object"), loader);
    }

    /** The classes of the drivers of an application's pools, by the names of their resources. */
    static Map<String, String> drivers(ContextSettings context) {
        Map<String, String> drivers = new TreeMap<>();
        Stream.of(context.resources(), context.linkedResources())
                .forEach(resources -> resources.forEach((name, attributes) -> {
                    String driver = attributes.get("driverClassName");
                    if (driver != null && isMade(attributes) && isPool(attributes) && !MailSession.isOne(attributes)) {
                        drivers.put(name, driver.strip());
                    }
                }));
        return drivers;
    }

    /** The factories of an application's other objects, by the names of their resources. */
    static Map<String, String> factories(ContextSettings context) {
        Map<String, String> factories = new TreeMap<>();
        Stream.of(context.resources(), context.linkedResources())
                .forEach(resources -> resources.forEach((name, attributes) -> {
                    String factory = attributes.get("factory");
                    boolean other = isPool(attributes) || MailSession.isOne(attributes) || !isMade(attributes);
                    if (factory != null && !other && !factory.equals(BeanResource.FACTORY)) {
                        factories.put(name, factory.strip());
                    }
                }));
        return factories;
    }

    private static boolean has(String className, ClassLoader loader) {
        try {
            Class.forName(className.strip(), false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    static Object make(String name, Map<String, String> attributes, ClassLoader loader) throws Exception {
        String factory = attributes.get("factory");
        if (MailSession.isOne(attributes)) {
            return MailSession.make(name, attributes, loader);
        }
        if (factory == null || isPool(attributes)) {
            return pool(attributes, loader);
        }
        return factory.equals(BeanResource.FACTORY)
                ? BeanResource.make(name, attributes, loader)
                : made(name, attributes, factory, loader);
    }

    /** The target of a ResourceLink; an instance of the application's own if the server lacks a class for it. */
    private record LinkedResource(Map<String, String> attributes, SharedResources shared, String application)
            implements ResourceSource {

        @Override
        public Object make(ClassLoader loader) throws Exception {
            String name = String.valueOf(attributes.get("name"));
            Object object = shared.get(name, attributes);
            if (object != null) {
                return object;
            }
            Messages.LOG.resourceNotShared(name, application);
            return NamedResources.make(name, attributes, loader);
        }

        @Override
        public boolean isOwned(Object made) {
            return !shared.has(made);
        }
    }

    private static Object pool(Map<String, String> attributes, ClassLoader loader) throws Exception {
        Properties properties = new Properties();
        properties.putAll(PoolAttributes.translated(attributes));
        // creating the initial connections needs the driver, whose class loader is set below
        String initial = (String) properties.remove("initialSize");
        BasicDataSource pool = BasicDataSourceFactory.createDataSource(properties);
        String statement = attributes.get(PoolAttributes.INITIAL_STATEMENT);
        if (statement != null) {
            pool.setConnectionInitSqls(List.of(statement)); // one statement, even with semicolons
        }
        pool.setDriverClassLoader(loader);
        if (initial != null) {
            pool.setInitialSize(Integer.parseInt(initial.strip()));
        }
        return pool;
    }

    /** Calls the application's own factory, as specified by javax.naming. */
    @SuppressWarnings("JdkObsolete") // javax.naming requires a Hashtable
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
            throw new IllegalArgumentException(factory + " returned no object for Resource " + name);
        }
        return object;
    }
}
