package io.millrace.proxy;

import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.settings.Setting;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The installed protocols for backends. */
public final class BackendProtocols {

    private BackendProtocols() {}

    /** A scheme, and the provider of its protocol. */
    record Entry(ClientScheme scheme, ClientProtocolProvider provider) {}

    /** The settings of all protocols. */
    public static List<Setting<?>> settings() {
        return installed()
                .flatMap(provider -> provider.settings().stream())
                .distinct()
                .toList();
    }

    /** The protocol of a scheme; null if it is not installed. */
    static @Nullable Entry find(String scheme) {
        return entries().stream()
                .filter(entry -> entry.scheme().name().equals(scheme))
                .findFirst()
                .orElse(null);
    }

    /** The valid forms of backend addresses, for error messages. */
    static String forms() {
        Set<String> forms = new TreeSet<>();
        entries().forEach(entry -> forms.add(entry.scheme().name() + "://host:port"));
        return "expected " + String.join(", ", forms) + " or unix:/path";
    }

    private static List<Entry> entries() {
        return installed()
                .flatMap(provider -> provider.schemes().stream().map(scheme -> new Entry(scheme, provider)))
                .toList();
    }

    private static Stream<ClientProtocolProvider> installed() {
        return ServiceLoader.load(ClientProtocolProvider.class, ClientProtocolProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
    }
}
