package io.millrace.standalone;

import io.millrace.io.TransportProvider;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** The transports of this installation. */
final class Transports {

    private Transports() {}

    /** Their names, sorted. */
    static Set<String> installed() {
        Set<String> names = new TreeSet<>();
        ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
        return names;
    }

    static void require(String name) throws OperatorException {
        Set<String> installed = installed();
        if (!installed.contains(name)) {
            throw new OperatorException("there is no transport '" + name + "'; installed: "
                    + (installed.isEmpty() ? "none" : String.join(", ", installed)));
        }
    }
}
