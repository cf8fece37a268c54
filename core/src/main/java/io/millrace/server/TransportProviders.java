package io.millrace.server;

import io.millrace.io.TransportProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The available transport providers, by name. Loaded for one server, so that its transports may share threads. */
public final class TransportProviders {

    private final Map<String, TransportProvider> byName = new LinkedHashMap<>();

    public TransportProviders(List<TransportProvider> given) {
        given.forEach(this::add);
        load(Thread.currentThread().getContextClassLoader());
        load(TransportProviders.class.getClassLoader());
    }

    /**
     * The provider of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the available ones and says what to add
     */
    public TransportProvider named(String name) {
        TransportProvider found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("There is no transport \"" + name + "\"; "
                    + (byName.isEmpty() ? "none is available" : "available: " + String.join(", ", byName.keySet()))
                    + ". Add the artifact io.millrace:millrace-connector-" + name + " to the class path.");
        }
        return found;
    }

    private void load(ClassLoader loader) {
        ServiceLoader.load(TransportProvider.class, loader).forEach(this::add);
    }

    private void add(TransportProvider provider) {
        byName.putIfAbsent(provider.name(), provider);
    }
}
