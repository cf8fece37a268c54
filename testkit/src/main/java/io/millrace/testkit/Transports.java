package io.millrace.testkit;

import io.millrace.io.DefaultTransport;
import io.millrace.io.TransportProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The transports on which the tests of a module run: those on its class path. */
public final class Transports {

    private static final List<String> KNOWN = List.of("apr", "bio", "nio", "nio2");

    /** Comma-separated names of the transports to test; all if the property is not set. */
    private static final String CHOICE = "millrace.test.transports";

    private Transports() {}

    /**
     * The names of the transports, in order; only those in the system property {@code millrace.test.transports}, if it
     * is set.
     *
     * @throws IllegalStateException if a transport in the source tree is missing: its tests would otherwise be skipped
     *     silently
     */
    public static List<String> installed() {
        List<String> names = providers()
                .map(TransportProvider::name)
                .filter(KNOWN::contains)
                .sorted()
                .toList();
        for (String known : KNOWN) {
            if (!names.contains(known) && Connectors.contain(known)) {
                throw new IllegalStateException("connectors/" + known + " is not a dependency of this module");
            }
        }
        String choice = System.getProperty(CHOICE);
        return choice == null
                ? names
                : names.stream().filter(List.of(choice.split(","))::contains).toList();
    }

    /** Whether only some of them are tested. */
    public static boolean isChosen() {
        return System.getProperty(CHOICE) != null;
    }

    /** The name of the transport for tests that run on one: {@code nio}, unless its directory has been deleted. */
    public static String byDefault() {
        return DefaultTransport.name();
    }

    /** The transport of this name, which must be present. */
    public static TransportProvider provider(String name) {
        return providers().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private static Stream<TransportProvider> providers() {
        return ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get);
    }
}
