package io.millrace.standalone.config.context;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.SessionTable;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.util.List;
import java.util.regex.Pattern;

/** Tomcat's session Managers, their Stores and SessionIdGenerators. An unknown Manager is replaced by one that keeps sessions across restarts. */
public final class SessionKinds {

    /** The element by which sessions are shared. */
    public static final String CLUSTER = "<Cluster className=\"io.millrace.Redis\" uri=\"redis://localhost:6379\"/>";

    /** Managers outside of Tomcat that share sessions: Redisson's, memcached-session-manager's, WildFly's, and those of Redis. */
    private static final Pattern SHARES = Pattern.compile(
            "org\\.redisson\\..*|de\\.javakaffee\\..*|org\\.wildfly\\..*|(?i:.*redis.*|.*infinispan.*|.*hazelcast.*)"
                    + "|org\\.apache\\.catalina\\.ha\\..*");

    private static final SettingGroup MANAGER = new SettingGroup();
    private static final Setting<String> MANAGER_CLASS =
            MANAGER.add("className", TEXT, "org.apache.catalina.session.StandardManager");

    /** The file of a StandardManager; empty to end sessions at a restart. */
    public static final Setting<String> PATHNAME = MANAGER.add("pathname", TEXT, "SESSIONS.ser");

    private static final SettingGroup FILE_STORE = new SettingGroup();
    private static final Setting<String> STORE_CLASS =
            FILE_STORE.add("className", TEXT, "org.apache.catalina.session.FileStore");

    /** The directory of a FileStore. */
    public static final Setting<String> DIRECTORY = FILE_STORE.add("directory", TEXT, "sessions");

    /** Manager. */
    public static final Element.Kind MANAGER_KIND = new Manager();

    private SessionKinds() {}

    static List<Element.Kind> kinds() {
        return List.of(
                MANAGER_KIND,
                new FileStore(),
                new JdbcStore(),
                new Element.Kind(
                        "SessionIdGenerator",
                        Attribute.all(
                                List.of(
                                        Attribute.alias("sessionIdLength", SessionSettings.SESSION_ID_LENGTH),
                                        Attribute.className("org.apache.catalina.util.StandardSessionIdGenerator")),
                                TomcatAttributes.of("SessionIdGenerator"))));
    }

    /** Whether a Manager is a PersistentManager. */
    public static boolean isPersistent(Element manager) {
        return manager.get(MANAGER_CLASS).endsWith(".PersistentManager");
    }

    private static final class Manager extends Element.Kind {

        Manager() {
            super(
                    "Manager",
                    Attribute.all(
                            Attribute.of(SessionSettings.ofManager()),
                            Attribute.of(MANAGER.settings()),
                            TomcatAttributes.of("Manager")),
                    "Store",
                    "SessionIdGenerator");
        }

        @Override
        public void check(Element manager, String parent, Problems problems) {
            String type = manager.get(MANAGER_CLASS);
            if (!isPersistent(manager) && !type.endsWith(".StandardManager")) {
                problems.warning(
                        manager.line(MANAGER_CLASS),
                        "Manager " + type + " is ignored: sessions are kept in memory, and in a file across restarts"
                                + (SHARES.matcher(type).matches()
                                        ? "; to share them as it did, put <distributable/> into web.xml and " + CLUSTER
                                                + " into Host or Engine"
                                        : ""));
            }
            if (isPersistent(manager) && manager.children("Store").isEmpty()) {
                problems.warning(manager.line(), "PersistentManager without a Store: sessions are kept in memory");
            }
        }
    }

    private static final class FileStore extends Element.Kind {

        FileStore() {
            super("Store", Attribute.all(Attribute.of(FILE_STORE.settings()), TomcatAttributes.of("Store")));
        }

        @Override
        public void check(Element store, String parent, Problems problems) {
            String type = store.get(STORE_CLASS);
            if (!type.endsWith(".FileStore")) {
                problems.warning(store.line(), "Store " + type + " is ignored: files are used instead");
            }
        }
    }

    /** Tomcat's JDBCStore. */
    public static final class JdbcStore extends Element.Kind {

        private static final SettingType<String> COLUMN =
                SettingType.text("the name of a table or column", SessionTable::isName);

        private static final SettingGroup GROUP = new SettingGroup();

        /** A Resource. */
        public static final Setting<String> DATA_SOURCE_NAME = GROUP.optional("dataSourceName", TEXT);

        /** Whether the Resource is one of the Context. */
        public static final Setting<Boolean> LOCAL_DATA_SOURCE = GROUP.add("localDataSource", BOOLEAN, false);

        /** Without a Resource, the driver. */
        public static final Setting<String> DRIVER_NAME = GROUP.optional("driverName", TEXT);

        /** Without a Resource, the database. */
        public static final Setting<String> CONNECTION_URL = GROUP.optional("connectionURL", TEXT);

        /** Without a Resource, the user. */
        public static final Setting<String> CONNECTION_NAME = GROUP.optional("connectionName", TEXT);

        /** Without a Resource, the user's password. */
        public static final Setting<String> CONNECTION_PASSWORD = GROUP.optional("connectionPassword", TEXT);

        private static final SessionTable USUAL = SessionTable.DEFAULT;
        private static final Setting<String> TABLE = GROUP.add("sessionTable", COLUMN, USUAL.name());
        private static final Setting<String> APP = GROUP.add("sessionAppCol", COLUMN, USUAL.app());
        private static final Setting<String> ID = GROUP.add("sessionIdCol", COLUMN, USUAL.id());
        private static final Setting<String> DATA = GROUP.add("sessionDataCol", COLUMN, USUAL.data());
        private static final Setting<String> VALID = GROUP.add("sessionValidCol", COLUMN, USUAL.valid());
        private static final Setting<String> MAX_INACTIVE =
                GROUP.add("sessionMaxInactiveCol", COLUMN, USUAL.maxInactive());
        private static final Setting<String> LAST_ACCESSED =
                GROUP.add("sessionLastAccessedCol", COLUMN, USUAL.lastAccessed());

        private JdbcStore() {
            super("Store", "org.apache.catalina.session.JDBCStore", Attribute.of(GROUP.settings()));
        }

        @Override
        public Problem.Severity costOfErrors(String parent) {
            return Problem.Severity.STORE;
        }

        @Override
        public void check(Element store, String parent, Problems problems) {
            if (store.find(DATA_SOURCE_NAME) == null && store.find(CONNECTION_URL) == null) {
                problems.error(
                        store.line(),
                        "JDBCStore has neither dataSourceName nor connectionURL; name a Resource of GlobalNamingResources, or the"
                                + " database");
            }
        }

        /** The table of a Store of this kind. */
        public static SessionTable table(Element store) {
            return new SessionTable(
                    store.get(TABLE),
                    store.get(APP),
                    store.get(ID),
                    store.get(DATA),
                    store.get(VALID),
                    store.get(MAX_INACTIVE),
                    store.get(LAST_ACCESSED));
        }
    }
}
