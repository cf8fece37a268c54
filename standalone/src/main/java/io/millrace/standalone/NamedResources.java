package io.millrace.standalone;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.naming.EnvValue;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.resource.PoolAttributes;
import io.millrace.standalone.config.resource.ResourceKinds;
import io.millrace.standalone.config.resource.TomcatFactories;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.log.StandaloneLog;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.naming.CompositeName;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.ObjectFactory;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSource;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory;
import org.jspecify.annotations.Nullable;

/** Binds the Environment and Resource elements of an application's Context below java:comp/env. */
final class NamedResources {

    private static final String INSTALL = ": put its jar into lib of the base directory, or into WEB-INF/lib";

    private static final Set<String> OF_BEANS = Set.of(BeanResource.FACTORY, BeanResource.GENERIC_FACTORY);

    private static final String TRANSACTION = "java:comp/UserTransaction";

    private NamedResources() {}

    /** @param shared the targets of ResourceLink elements */
    static void add(ContextSettings context, WebApplication application, SharedResources shared) {
        for (Element environment : context.environments()) {
            add(
                    environment.find(ResourceKinds.NAME),
                    environment,
                    environment.get(ResourceKinds.OVERRIDE),
                    application);
        }
        context.resources().forEach((name, attributes) -> {
            if (isMade(attributes)) {
                application.resource(name, false, new OwnResource(name, attributes));
            }
        });
        application.configure(servlets -> {
            Set<String> absent = classes(context);
            absent.removeIf(each -> has(each, servlets.getClassLoader()));
            missing(context, absent, Map.of())
                    .forEach(sentence -> StandaloneLog.SERVER.contextProblem(application.contextPath(), sentence));
        });
        application.unboundReferences(reference -> unbound(reference.name(), reference.type()));
        Map<String, String> transaction = context.transaction();
        if (transaction != null && isMade(transaction)) {
            application.resource(TRANSACTION, false, new OwnResource("UserTransaction", transaction));
        }
        context.linkedEnvironments().forEach((name, environment) -> add(name, environment, false, application));
        context.linkedResources().forEach((name, attributes) -> {
            if (isMade(attributes)) {
                application.resource(name, false, new LinkedResource(attributes, shared, application.contextPath()));
            }
        });
    }

    private static void add(
            @Nullable String name, Element environment, boolean overridable, WebApplication application) {
        String value = environment.find(ResourceKinds.VALUE);
        if (name != null && value != null) {
            String type = environment.find(ResourceKinds.TYPE);
            application.resource(name, overridable, loader -> EnvValue.of(type, value, loader));
        }
    }

    /** As in Tomcat, a resource-ref without a Resource is a pool without a database, or a mail session with defaults. */
    private static @Nullable ResourceSource unbound(String name, @Nullable String type) {
        return TomcatFactories.isMade(type, null) ? new OwnResource(name, Map.of("type", String.valueOf(type))) : null;
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
        String factory = factory(attributes, loader);
        boolean factoryThere = BeanResource.FACTORY.equals(factory) || has(String.valueOf(factory), loader);
        return factoryThere && has(attributes.getOrDefault("type", "java.lang.Object"), loader);
    }

    /** The factory that makes it; null for a pool of DBCP 2. Where tomcat-jdbc is not installed, others do what it does. */
    private static @Nullable String factory(Map<String, String> attributes, ClassLoader loader) {
        String factory = attributes.get("factory");
        if (factory == null) {
            return null;
        }
        if (factory.equals(BeanResource.GENERIC_FACTORY) && !has(factory, loader)) {
            return BeanResource.FACTORY;
        }
        boolean own =
                !PoolAttributes.isPool(factory) || factory.equals(PoolAttributes.TOMCAT_JDBC) && has(factory, loader);
        return own ? factory : null;
    }

    /** Sentences about classes that are not there, and about references to nothing, for the operator. */
    static List<String> missing(ContextSettings context, Set<String> absent, Map<String, String> references) {
        List<String> found = new ArrayList<>();
        drivers(context).forEach((resource, driver) -> {
            if (absent.contains(driver)) {
                found.add("the driver " + driver + " of Resource " + resource
                        + " is not installed, so the pool has no connections" + INSTALL);
            }
        });
        factories(context).forEach((resource, factory) -> {
            if (absent.contains(factory)) {
                found.add("the factory " + factory + " of Resource " + resource
                        + " is not installed, so that looking it up fails" + INSTALL);
            }
        });
        references.forEach((name, type) -> {
            if (!isBound(name, context)) {
                found.add("the resource-ref " + name + " of type " + type + " has no Resource, so "
                        + (unbound(name, type) == null
                                ? "looking it up fails"
                                : "what is looked up is one without a database or mail server")
                        + "; define a Resource in context.xml");
            }
        });
        return found;
    }

    private static boolean isBound(String name, ContextSettings context) {
        return context.resources().containsKey(name)
                || context.linkedResources().containsKey(name);
    }

    /** The classes that an application's resources need. */
    static Set<String> classes(ContextSettings context) {
        Set<String> classes = new HashSet<>(drivers(context).values());
        classes.addAll(factories(context).values());
        return classes;
    }

    /** The classes of the drivers of an application's pools, by the names of their resources. */
    private static Map<String, String> drivers(ContextSettings context) {
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
    private static Map<String, String> factories(ContextSettings context) {
        Map<String, String> factories = new TreeMap<>();
        Stream.of(context.resources(), context.linkedResources())
                .forEach(resources -> resources.forEach((name, attributes) -> {
                    String factory = attributes.get("factory");
                    boolean other = isPool(attributes) || MailSession.isOne(attributes) || !isMade(attributes);
                    if (factory != null && !other && !OF_BEANS.contains(factory)) {
                        factories.put(name, factory.strip());
                    }
                }));
        Map<String, String> transaction = context.transaction();
        if (transaction != null && isMade(transaction)) {
            factories.put(
                    TRANSACTION, String.valueOf(transaction.get("factory")).strip());
        }
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
        if (MailSession.isOne(attributes)) {
            return MailSession.make(name, attributes, loader);
        }
        String factory = factory(attributes, loader);
        if (factory == null) {
            return pool(attributes, loader);
        }
        return factory.equals(BeanResource.FACTORY)
                ? BeanResource.make(name, attributes, loader)
                : made(name, attributes, factory, loader);
    }

    /** Closes an object by its method, as in Tomcat: that of {@code closeMethod}, or close. */
    static void close(Object made, Map<String, String> attributes) throws Exception {
        String method = attributes.getOrDefault(
                "closeMethod", PoolAttributes.TOMCAT_JDBC.equals(attributes.get("factory")) ? "close" : "");
        if (made instanceof AutoCloseable closeable) {
            closeable.close();
        } else if (!method.isBlank()) {
            made.getClass().getMethod(method.strip()).invoke(made);
        }
    }

    /** A Resource that only this application has. */
    private record OwnResource(String name, Map<String, String> attributes) implements ResourceSource {

        @Override
        public String type() {
            return attributes.getOrDefault("type", "java.lang.Object");
        }

        @Override
        public Object make(ClassLoader loader) throws Exception {
            return NamedResources.make(name, attributes, loader);
        }

        @Override
        public void close(Object made) throws Exception {
            NamedResources.close(made, attributes);
        }
    }

    /** The target of a ResourceLink; an instance of the application's own if the server lacks a class for it. */
    private record LinkedResource(Map<String, String> attributes, SharedResources shared, String application)
            implements ResourceSource {

        @Override
        public String type() {
            return attributes.getOrDefault("type", "java.lang.Object");
        }

        @Override
        public Object make(ClassLoader loader) throws Exception {
            String name = String.valueOf(attributes.get("name"));
            Object object = shared.get(name, attributes);
            if (object != null) {
                return object;
            }
            StandaloneLog.SERVER.resourceNotShared(name, application);
            return NamedResources.make(name, attributes, loader);
        }

        @Override
        public boolean isOwned(Object made) {
            return !shared.has(made);
        }

        @Override
        public void close(Object made) throws Exception {
            NamedResources.close(made, attributes);
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

    /**
     * Creates a JavaBean from a Resource, as Tomcat's {@code org.apache.naming.factory.BeanFactory} does: with the constructor
     * of its type that has no parameters, and with the other attributes as its properties.
     */
    private static final class BeanResource {

        static final String FACTORY = "org.apache.naming.factory.BeanFactory";

        /** Does the same, and is in tomcat-jdbc.jar. */
        static final String GENERIC_FACTORY = "org.apache.tomcat.jdbc.naming.GenericNamingResourcesFactory";

        /** Attributes of Resource itself. */
        private static final Set<String> OWN =
                Set.of("name", "type", "factory", "auth", "scope", "singleton", "closeMethod", "description");

        /** The parameter types of setters, in order of preference among overloads. */
        private static final Class<?>[] KINDS = {
            String.class,
            boolean.class,
            Boolean.class,
            int.class,
            Integer.class,
            long.class,
            Long.class,
            double.class,
            Double.class,
            float.class,
            Float.class,
            short.class,
            Short.class,
            byte.class,
            Byte.class,
            char.class,
            Character.class
        };

        private BeanResource() {}

        /** @throws NamingException if the attributes do not fit the type; the message is for the operator */
        static Object make(String name, Map<String, String> attributes, ClassLoader application) throws Exception {
            if (attributes.containsKey("forceString")) {
                // it would let a Resource call any method with one String parameter; Tomcat removed it in 9.0.63
                throw new NamingException(
                        "Resource " + name + ": forceString is not supported; the type needs a setter instead");
            }
            String type = attributes.get("type");
            if (type == null) {
                throw new NamingException("Resource " + name + " has no type; expected the class of its object");
            }
            Object bean = Class.forName(type, true, application)
                    .getDeclaredConstructor()
                    .newInstance();
            for (Map.Entry<String, String> attribute : attributes.entrySet()) {
                if (!OWN.contains(attribute.getKey())) {
                    set(name, bean, attribute.getKey(), attribute.getValue());
                }
            }
            return bean;
        }

        private static void set(String resource, Object bean, String property, String value) throws Exception {
            String setter = "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
            for (Class<?> kind : KINDS) {
                Method method = Arrays.stream(bean.getClass().getMethods())
                        .filter(each -> each.getName().equals(setter)
                                && each.getParameterCount() == 1
                                && each.getParameterTypes()[0].equals(kind))
                        .findFirst()
                        .orElse(null);
                if (method != null) {
                    method.invoke(bean, converted(resource, property, value.strip(), kind));
                    return;
                }
            }
            throw new NamingException(
                    "Resource " + resource + ": " + bean.getClass().getName() + " has no " + setter
                            + " that takes a string, a number, a character or a boolean");
        }

        private static Object converted(String resource, String property, String value, Class<?> kind)
                throws NamingException {
            try {
                return switch (kind.getSimpleName()) {
                    case "String" -> value;
                    case "boolean", "Boolean" -> Boolean.valueOf(value);
                    case "int", "Integer" -> Integer.valueOf(value);
                    case "long", "Long" -> Long.valueOf(value);
                    case "double", "Double" -> Double.valueOf(value);
                    case "float", "Float" -> Float.valueOf(value);
                    case "short", "Short" -> Short.valueOf(value);
                    case "byte", "Byte" -> Byte.valueOf(value);
                    default -> value.charAt(0);
                };
            } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
                throw new NamingException("Resource " + resource + ": " + property + "=\"" + value
                        + "\" is not of type " + kind.getSimpleName());
            }
        }
    }
}
