package io.millrace.standalone;

import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of GlobalNamingResources, one for all that link to them or name them, made when first looked up and closed when
 * the server has stopped. Any thread.
 */
final class SharedResources implements AutoCloseable {

    private final ClassLoader server;
    private final Map<String, Object> made = new HashMap<>();

    /** @param server has the factories and drivers of what is shared */
    SharedResources(ClassLoader server) {
        this.server = server;
    }

    /** Has the factories, drivers and login modules of the server. */
    ClassLoader server() {
        return server;
    }

    /**
     * The object of a name.
     *
     * @return null if only the application has the classes that it needs, so that it can't be shared
     */
    synchronized @Nullable Object get(String name, Map<String, String> attributes) throws Exception {
        Object known = made.get(name);
        if (known != null) {
            return known;
        }
        if (!NamedResources.isMadeBy(attributes, server)) {
            return null;
        }
        Object object = NamedResources.make(name, attributes, server);
        made.put(name, object);
        return object;
    }

    @SuppressWarnings("ReferenceEquality") // which object it is counts
    synchronized boolean has(Object object) {
        return made.values().stream().anyMatch(each -> each == object);
    }

    @Override
    public synchronized void close() {
        for (Object object : made.values()) {
            if (object instanceof AutoCloseable resource) {
                try {
                    resource.close();
                } catch (Exception e) {
                    Logger.getLogger(SharedResources.class).debugf(e, "%s was not closed", resource);
                }
            }
        }
        made.clear();
    }
}
