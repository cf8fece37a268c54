package io.millrace.standalone.config;

import java.util.List;

/** Which of Tomcat's session managers and stores are there. What stands in for another one keeps sessions as well. */
final class SessionVocabulary {

    private SessionVocabulary() {}

    static void check(ConfigElement manager, Problems problems) {
        Values values = new Values(manager, ContextVocabulary.MANAGER);
        String type = values.text("className", "");
        boolean persistent = type.endsWith(".PersistentManager");
        if (!persistent && !type.endsWith(".StandardManager")) {
            problems.warning(
                    values.line("className"),
                    "Manager " + type + " is ignored: sessions are kept in memory, and in a file over a restart");
        }
        List<ConfigElement> stores = manager.children("Store");
        if (persistent && stores.isEmpty()) {
            problems.warning(manager.line(), "PersistentManager without a Store: sessions are kept in memory");
        }
        for (ConfigElement store : stores) {
            String kind = new Values(store, ContextVocabulary.STORE).text("className", "");
            if (!kind.endsWith(".FileStore")) {
                problems.warning(store.line(), "Store " + kind + " is ignored: files are used instead");
            }
        }
    }
}
