package io.millrace.standalone.config.resource;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.text.EditDistance;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The attributes of a Resource that is a connection pool of DBCP 2. Attributes of DBCP 1 and tomcat-jdbc are
 * translated to those of DBCP 2, or ignored with a warning.
 */
public final class PoolAttributes {

    /** Tomcat's second pool. Its own class is used where tomcat-jdbc.jar is installed; otherwise DBCP 2 stands in. */
    public static final String TOMCAT_JDBC = "org.apache.tomcat.jdbc.pool.DataSourceFactory";

    /** Factories of Tomcat's and Commons' pools. */
    private static final Set<String> FACTORIES = Set.of(
            TOMCAT_JDBC,
            "org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory",
            "org.apache.tomcat.dbcp.dbcp.BasicDataSourceFactory",
            "org.apache.commons.dbcp2.BasicDataSourceFactory",
            "org.apache.commons.dbcp.BasicDataSourceFactory");

    /** tomcat-jdbc's statement for new connections; DBCP 2 has a list of statements, separated by semicolons. */
    public static final String INITIAL_STATEMENT = "initSQL";

    /** Attributes of any Resource. */
    private static final Set<String> OF_RESOURCES =
            Set.of("name", "type", "auth", "scope", "description", "factory", "singleton", "closeMethod", "mappedName");

    /** Attributes of DBCP 2. */
    private static final Set<String> OF_DBCP = Set.of(
            "abandonedUsageTracking",
            "accessToUnderlyingConnectionAllowed",
            "cacheState",
            "clearStatementPoolOnReturn",
            "connectionFactoryClassName",
            "connectionInitSqls",
            "connectionProperties",
            "defaultAutoCommit",
            "defaultCatalog",
            "defaultQueryTimeout",
            "defaultReadOnly",
            "defaultSchema",
            "defaultTransactionIsolation",
            "disconnectionIgnoreSqlCodes",
            "disconnectionSqlCodes",
            "driverClassName",
            "enableAutoCommitOnReturn",
            "evictionPolicyClassName",
            "fastFailValidation",
            "initialSize",
            "jmxName",
            "lifo",
            "logAbandoned",
            "logExpiredConnections",
            "maxConnLifetimeMillis",
            "maxIdle",
            "maxOpenPreparedStatements",
            "maxTotal",
            "maxWaitMillis",
            "minEvictableIdleTimeMillis",
            "minIdle",
            "numTestsPerEvictionRun",
            "password",
            "poolPreparedStatements",
            "registerConnectionMBean",
            "removeAbandonedOnBorrow",
            "removeAbandonedOnMaintenance",
            "removeAbandonedTimeout",
            "rollbackOnReturn",
            "softMinEvictableIdleTimeMillis",
            "testOnBorrow",
            "testOnCreate",
            "testOnReturn",
            "testWhileIdle",
            "timeBetweenEvictionRunsMillis",
            "url",
            "username",
            "validationQuery",
            "validationQueryTimeout");

    /** Names of DBCP 1 and tomcat-jdbc, and their synonyms in DBCP 2. */
    private static final Map<String, String> SYNONYMS = Map.of(
            "maxActive", "maxTotal",
            "maxWait", "maxWaitMillis",
            "removeAbandoned", "removeAbandonedOnBorrow",
            "testOnConnect", "testOnCreate",
            "maxAge", "maxConnLifetimeMillis");

    /** Defaults of tomcat-jdbc that differ from those of DBCP 2. */
    private static final Map<String, String> TOMCAT_JDBC_DEFAULTS = Map.of(
            "maxTotal", "100",
            "maxIdle", "100",
            "maxWaitMillis", "30000",
            "minEvictableIdleTimeMillis", "60000",
            "removeAbandonedTimeout", "60",
            "timeBetweenEvictionRunsMillis", "5000");

    /** Attributes of tomcat-jdbc without a counterpart, and advice. */
    private static final Map<String, String> IGNORED = Map.of(
            "abandonWhenPercentageFull", "abandoned connections are closed when nearly all are in use",
            "alternateUsernameAllowed", "all connections have the user of the Resource",
            "commitOnReturn",
                    "open transactions are rolled back when a connection is closed; let the application commit",
            "dataSource", "set driverClassName and url",
            "dataSourceJNDI", "set driverClassName and url",
            "jdbcInterceptors",
                    "the pool is DBCP 2, which has no interceptors; see cacheState and poolPreparedStatements",
            "suspectTimeout", "set removeAbandoned and logAbandoned",
            "validationInterval", "each validation queries the database",
            "validatorClassName", "set validationQuery");

    /** Tuning of tomcat-jdbc's implementation, ignored without a warning. */
    private static final Set<String> MOOT = Set.of(
            "fairQueue",
            "ignoreExceptionOnPreLoad",
            "jmxEnabled",
            "logValidationErrors",
            "propagateInterruptState",
            "useDisposableConnectionFacade",
            "useEquals",
            "useLock",
            "useStatementFacade");

    private PoolAttributes() {}

    /** Whether a factory creates connection pools. */
    public static boolean isPool(String factory) {
        return FACTORIES.contains(factory);
    }

    /** Returns the attributes with DBCP 2's names. */
    public static Map<String, String> translated(Map<String, String> attributes) {
        boolean tomcatJdbc = TOMCAT_JDBC.equals(attributes.get("factory"));
        Map<String, String> result = new HashMap<>(tomcatJdbc ? TOMCAT_JDBC_DEFAULTS : Map.of());
        SYNONYMS.forEach((old, name) -> {
            String value = attributes.get(old);
            if (value != null) {
                result.put(name, value);
            }
        });
        if (attributes.containsKey("removeAbandoned")) {
            result.put("removeAbandonedOnMaintenance", attributes.get("removeAbandoned"));
        }
        attributes.forEach((name, value) -> {
            if (OF_DBCP.contains(name)) {
                result.put(name, value);
            }
        });
        return result;
    }

    /** Warns of what has no effect, if the Resource is a pool. */
    static void check(Element resource, Problems problems) {
        String factory = resource.written("factory");
        boolean link = !resource.name().equals("Resource");
        if (!link && (factory == null ? "javax.sql.DataSource".equals(resource.written("type")) : isPool(factory))) {
            resource.written().forEach(attribute -> check(attribute, resource, problems));
        }
    }

    private static void check(XmlElement.Attribute attribute, Element resource, Problems problems) {
        String name = attribute.name();
        String where = name + " on Resource " + resource.written("name");
        String reason = IGNORED.get(name);
        if (reason != null) {
            problems.warning(attribute.line(), where + " is ignored unless tomcat-jdbc.jar is in lib: " + reason);
        } else if (!isKnown(name)) {
            Set<String> candidates = new TreeSet<>(OF_DBCP);
            candidates.addAll(SYNONYMS.keySet());
            candidates.addAll(IGNORED.keySet());
            problems.warning(
                    attribute.line(),
                    "unknown attribute '" + name + "' on Resource " + resource.written("name")
                            + EditDistance.suggestion(name, candidates));
        }
    }

    private static boolean isKnown(String name) {
        return OF_DBCP.contains(name)
                || OF_RESOURCES.contains(name)
                || SYNONYMS.containsKey(name)
                || MOOT.contains(name)
                || name.equals(INITIAL_STATEMENT);
    }
}
