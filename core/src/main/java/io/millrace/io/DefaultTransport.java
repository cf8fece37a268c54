package io.millrace.io;

import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The transport of connectors and clients that name none: the first of nio, nio2, bio and apr that is installed. */
public final class DefaultTransport {

    private static final List<String> PREFERENCE = List.of("nio", "nio2", "bio", "apr");
    private static final String PREFERRED = PREFERENCE.get(0);

    private DefaultTransport() {}

    /** The name of the default among the installed transports; {@code nio} if none of the four is installed. */
    public static String name() {
        return among(Stream.concat(
                        providers(Thread.currentThread().getContextClassLoader()),
                        providers(DefaultTransport.class.getClassLoader()))
                .map(ServiceLoader.Provider::get)
                .map(TransportProvider::name)
                .toList());
    }

    /** The name of the default among these names; {@code nio} if none of the four is. */
    public static String among(Collection<String> installed) {
        return PREFERENCE.stream().filter(installed::contains).findFirst().orElse(PREFERRED);
    }

    /** What a log line adds to the name of the default: the reason, in parentheses, if it is not {@code nio}. */
    public static String remark(String name) {
        return name.equals(PREFERRED) ? "" : " (" + PREFERRED + " is not installed)";
    }

    private static Stream<ServiceLoader.Provider<TransportProvider>> providers(ClassLoader loader) {
        return ServiceLoader.load(TransportProvider.class, loader).stream();
    }
}
