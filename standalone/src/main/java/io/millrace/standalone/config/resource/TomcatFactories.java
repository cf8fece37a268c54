package io.millrace.standalone.config.resource;

import io.millrace.standalone.config.schema.Element;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The Resource elements that are supported. Factories are in the application, in {@code lib}, or built in by Tomcat's names. */
public final class TomcatFactories {

    private static final String NAMING = "org.apache.naming.factory.";

    /** The factory of a user database in a file. */
    public static final String USER_DATABASE = "org.apache.catalina.users.MemoryUserDatabaseFactory";

    /** A link to a pool, with other credentials. */
    public static final String DATA_SOURCE_LINK = NAMING + "DataSourceLinkFactory";

    private static final Set<String> TYPES = Set.of("javax.sql.DataSource", "javax.mail.Session");

    /** Tomcat's factories that are not supported, and advice. */
    private static final Map<String, String> ABSENT = Map.of(
            DATA_SOURCE_LINK,
            "all connections of a pool have the same user; define a separate Resource for the application",
            NAMING + "LookupFactory",
            "other naming services are not supported; use a ResourceLink, or your own factory",
            NAMING + "EjbFactory",
            "EJBs are not supported",
            NAMING + "OpenEjbFactory",
            "EJBs are not supported",
            USER_DATABASE,
            "only the Realm reads the users; applications cannot change them",
            NAMING + "SendMailFactory",
            "use a Resource of type javax.mail.Session");

    private TomcatFactories() {}

    /** Whether a Resource of this type and factory is supported. */
    public static boolean isMade(@Nullable String type, @Nullable String factory) {
        return factory == null ? type != null && TYPES.contains(type) : !ABSENT.containsKey(factory);
    }

    /** Advice about a factory that is not supported; null if there is none. */
    public static @Nullable String advice(@Nullable String factory) {
        return factory == null ? null : ABSENT.get(factory);
    }

    /** Whether it is a Resource with the users of a Realm. */
    public static boolean isUserDatabase(Element resource) {
        return resource.name().equals("Resource")
                && "org.apache.catalina.UserDatabase".equals(resource.written("type"));
    }
}
