package io.millrace.standalone;

import io.millrace.io.TransportProvider;
import io.millrace.standalone.cli.OperatorException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** The transports of this installation. */
final class InstalledTransports {

    private InstalledTransports() {}

    /** Returns their names, sorted. */
    static Set<String> installed() {
        Set<String> names = new TreeSet<>();
        ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
        return names;
    }

    /** Returns the name with the description of its implementation, if it has one: {@code apr (APR 1.7.2)}. */
    static String titled(String name) {
        String built;
        try {
            built = describe(name);
        } catch (IllegalStateException reportedAtStart) {
            built = "";
        }
        return built.isEmpty() ? name : name + " (" + built + ")";
    }

    /**
     * Describes its implementation on this machine; empty if it is part of the JDK.
     *
     * @throws IllegalStateException if it is not available on this machine; the message is the reason
     */
    static String describe(String name) {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .map(TransportProvider::describe)
                .orElse("");
    }

    static void require(String name) throws OperatorException {
        Set<String> installed = installed();
        if (!installed.contains(name)) {
            throw new OperatorException("there is no transport '" + name + "'; installed: "
                    + (installed.isEmpty() ? "none" : String.join(", ", installed)));
        }
    }
}
