package io.millrace.testkit;

import io.millrace.io.TransportProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The transports that a module's tests run on: those it has on its class path. */
public final class Transports {

    private static final List<String> KNOWN = List.of("apr", "bio", "nio", "nio2");

    /** Names of those to test alone, with commas between them; all where it is not set. */
    private static final String CHOICE = "millrace.test.transports";

    private Transports() {}

    /**
     * Their names, in order; of those only the ones that the system property {@code millrace.test.transports} names, if it is
     * set.
     *
     * @throws IllegalStateException if the sources hold one that is missing: its tests would be left out, and nobody would know
     */
    public static List<String> installed() {
        List<String> names = providers()
                .map(TransportProvider::name)
                .filter(KNOWN::contains)
                .sorted()
                .toList();
        for (String known : KNOWN) {
            if (!names.contains(known) && isInSources(known)) {
                throw new IllegalStateException("connectors/" + known + " is no dependency of this module");
            }
        }
        String choice = System.getProperty(CHOICE);
        return choice == null
                ? names
                : names.stream().filter(List.of(choice.split(","))::contains).toList();
    }

    /** Are only some of them tested? */
    public static boolean isChosen() {
        return System.getProperty(CHOICE) != null;
    }

    /** The one of a name, which must be there. */
    public static TransportProvider provider(String name) {
        return providers().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private static Stream<TransportProvider> providers() {
        return ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get);
    }

    private static boolean isInSources(String name) {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve("connectors"))) {
            directory = directory.getParent();
        }
        return directory != null
                && Files.exists(directory.resolve("connectors").resolve(name).resolve("pom.xml"));
    }
}
