package io.millrace.testkit;

import io.millrace.io.DefaultTransport;
import io.millrace.io.TransportProvider;
import io.millrace.tls.TlsImplementation;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/** The transports on which the tests of a module run: those on its class path. */
public final class Transports {

    private static final List<String> KNOWN = List.of("apr", "bio", "nio", "nio2");

    /** Comma-separated names of the transports to test; all if the property is not set. */
    private static final String CHOICE = "millrace.test.transports";

    /** Whether {@link #with} returns every pair. */
    private static final String PAIRS = "millrace.test.pairs";

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

    /**
     * The names of the transports beside {@link #byDefault}, for a contract that runs whole on that one, and {@linkplain InPart in
     * part} on these.
     */
    public static List<String> others() {
        return installed().stream().filter(name -> !name.equals(byDefault())).toList();
    }

    /**
     * Pairs of a transport's name and a TLS implementation, or null for none, to test a protocol over both. They are chosen as by
     * {@link #with}.
     */
    public static List<Arguments> connections() {
        List<@Nullable TlsImplementation> securities = new ArrayList<>(Connectors.tls());
        securities.add(0, null);
        return with(securities);
    }

    /**
     * Pairs of a transport's name and one of some other values: the default transport with each of them, and each other transport with
     * one, in turn. All pairs if the system property {@code millrace.test.pairs} is {@code all}, as in {@code ./verify --soak}, which
     * runs the classes with the tag {@code pairs}.
     */
    public static List<Arguments> with(List<?> values) {
        List<Arguments> chosen = new ArrayList<>();
        int turn = values.size();
        for (String name : installed()) {
            boolean whole = name.equals(byDefault()) || "all".equals(System.getProperty(PAIRS));
            if (!whole) {
                turn--;
            }
            for (int i = 0; i < values.size(); i++) {
                if (whole || i == Math.floorMod(turn, values.size())) {
                    chosen.add(Arguments.of(name, values.get(i)));
                }
            }
        }
        return chosen;
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
