package io.millrace.standalone.config;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which Resource elements something is made of. Factories are of the application, of {@code lib}, or known here by Tomcat's name. */
public final class TomcatFactories {

    private static final String NAMING = "org.apache.naming.factory.";

    /** A link to a pool that connects as another user than the pool does. */
    static final String DATA_SOURCE_LINK = NAMING + "DataSourceLinkFactory";

    private static final Set<String> TYPES = Set.of("javax.sql.DataSource", "javax.mail.Session");

    /** Those of Tomcat that are not here, and what to do about it. */
    private static final Map<String, String> ABSENT = Map.of(
            DATA_SOURCE_LINK,
            "a pool has the connections of one user; give the application a Resource of its own",
            NAMING + "LookupFactory",
            "no other naming service is asked; use a ResourceLink, or a factory of your own",
            NAMING + "EjbFactory",
            "there are no EJBs",
            NAMING + "OpenEjbFactory",
            "there are no EJBs",
            NAMING + "SendMailFactory",
            "use a Resource of type javax.mail.Session");

    private TomcatFactories() {}

    /** False if it is of a kind that nobody here can make. */
    public static boolean isMade(@Nullable String type, @Nullable String factory) {
        return factory == null ? type != null && TYPES.contains(type) : !ABSENT.containsKey(factory);
    }

    /** What to do without a factory; null if there is nothing to say. */
    static @Nullable String advice(@Nullable String factory) {
        return factory == null ? null : ABSENT.get(factory);
    }
}
