package io.millrace.standalone.config.valve;

import io.millrace.standalone.config.schema.TomcatAttributes;

/** Tomcat's PersistentValve: each request reads its session in the Store of the PersistentManager, and writes it. */
public final class PersistentValve extends SessionValve {

    PersistentValve() {
        super(VALVES + "PersistentValve", TomcatAttributes.of("PersistentValve"));
    }
}
