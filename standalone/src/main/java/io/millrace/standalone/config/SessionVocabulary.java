package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.servlet.session.store.SessionTable;
import io.millrace.settings.SettingType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's session managers and stores. An unknown manager is replaced by one that keeps sessions across restarts. */
final class SessionVocabulary {

    private static final String JDBC = "org.apache.catalina.session.JDBCStore";

    private static final SettingType<?> NAME = SettingType.text("the name of a table or column", SessionTable::isName);

    private static final ElementRule JDBC_STORE = ElementRule.of(
            "Store",
            List.of(
                    works("className", TEXT, null),
                    works("dataSourceName", TEXT, null),
                    works("localDataSource", BOOLEAN, "false"),
                    works("driverName", TEXT, null),
                    works("connectionURL", TEXT, null),
                    works("connectionName", TEXT, null),
                    works("connectionPassword", TEXT, null),
                    works("sessionTable", NAME, SessionTable.DEFAULT.name()),
                    works("sessionAppCol", NAME, SessionTable.DEFAULT.app()),
                    works("sessionIdCol", NAME, SessionTable.DEFAULT.id()),
                    works("sessionDataCol", NAME, SessionTable.DEFAULT.data()),
                    works("sessionValidCol", NAME, SessionTable.DEFAULT.valid()),
                    works("sessionMaxInactiveCol", NAME, SessionTable.DEFAULT.maxInactive()),
                    works("sessionLastAccessedCol", NAME, SessionTable.DEFAULT.lastAccessed())));

    private SessionVocabulary() {}

    /** Null if the element is no Store. */
    static @Nullable ElementRule store(ConfigElement element) {
        if (!element.name().equals("Store")) {
            return null;
        }
        return JDBC.equals(element.value("className")) ? JDBC_STORE : ContextVocabulary.STORE;
    }

    static void check(ConfigElement manager, Problems problems) {
        Values values = new Values(manager, ContextVocabulary.MANAGER);
        String type = values.text("className", "");
        boolean persistent = type.endsWith(".PersistentManager");
        if (!persistent && !type.endsWith(".StandardManager")) {
            problems.warning(
                    values.line("className"),
                    "Manager " + type + " is ignored: sessions are kept in memory, and in a file across restarts");
        }
        List<ConfigElement> stores = manager.children("Store");
        if (persistent && stores.isEmpty()) {
            problems.warning(manager.line(), "PersistentManager without a Store: sessions are kept in memory");
        }
        for (ConfigElement store : stores) {
            String kind = new Values(store, ContextVocabulary.STORE).text("className", "");
            if (JDBC.equals(kind)) {
                checkDatabase(new Values(store, JDBC_STORE), problems);
            } else if (!kind.endsWith(".FileStore")) {
                problems.warning(store.line(), "Store " + kind + " is ignored: files are used instead");
            }
        }
    }

    private static void checkDatabase(Values store, Problems problems) {
        if (store.text("dataSourceName") == null && store.text("connectionURL") == null) {
            problems.error(
                    store.line(),
                    "JDBCStore has neither dataSourceName nor connectionURL; name a Resource of GlobalNamingResources, or the"
                            + " database");
        }
    }
}
