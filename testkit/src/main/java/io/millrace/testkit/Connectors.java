package io.millrace.testkit;

import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsImplementation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;

/**
 * The directories under {@code connectors/} in the source tree. Each may be deleted, so tests of other modules use the types of
 * none: they find transports by {@link Transports} and protocols by {@link #protocol}, and a test that needs one directory says so
 * with {@link NeedsConnector}.
 */
public final class Connectors {

    private Connectors() {}

    /** Whether the source tree has a directory of this name. */
    public static boolean contain(String name) {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve("connectors"))) {
            directory = directory.getParent();
        }
        return directory != null
                && Files.exists(directory.resolve("connectors").resolve(name).resolve("pom.xml"));
    }

    /** Skips the calling test if this case of it needs a directory that has been deleted. */
    public static void assume(boolean needed, String name) {
        Assumptions.assumeTrue(!needed || contain(name), "there is no connectors/" + name);
    }

    /** The implementations of TLS to test: the JDK's, and OpenSSL unless its directory has been deleted. */
    public static List<TlsImplementation> tls() {
        return contain("openssl")
                ? List.of(TlsImplementation.JSSE, TlsImplementation.OPENSSL)
                : List.of(TlsImplementation.JSSE);
    }

    /**
     * The provider of a protocol.
     *
     * @throws java.util.NoSuchElementException if it is not on the class path
     */
    public static ProtocolProvider protocol(String name) {
        return ServiceLoader.load(ProtocolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Settings with one more, which a protocol declares and server.xml gives this name. */
    public static Settings with(String protocol, Settings settings, String name, String value) {
        return settings.withText(
                protocol(protocol).settings().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                value);
    }
}
