package io.millrace.proxy;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientScheme;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of a backend in a configuration: {@code http://host:port}, {@code unix:/path} or a scheme of another
 * installed protocol, optionally with {@code ?weight=2&route=node1&draining=true} and settings of the protocol.
 *
 * @param text as configured, without the parameters
 * @param address of its socket
 * @param scheme its protocol
 * @param weight its share of the requests, 1 to 100
 * @param route the jvmRoute of its sessions; null if it has none
 * @param draining whether it gets, from the start, only requests of its own sessions
 * @param settings the settings of its protocol in this address
 */
public record BackendAddress(
        String text,
        SocketAddress address,
        ClientScheme scheme,
        int weight,
        @Nullable String route,
        boolean draining,
        Settings settings) {

    private static final int MAX_WEIGHT = 100;

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if it is malformed, or its protocol is not installed; the message lists those
     *     that are
     */
    public static BackendAddress parse(String written) {
        int mark = written.indexOf('?');
        String text = mark < 0 ? written : written.substring(0, mark);
        BackendAddress address = text.startsWith("unix:/") ? unix(text) : inet(text);
        for (String parameter :
                mark < 0 ? new String[0] : written.substring(mark + 1).split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            address = address.with(name, equals < 0 ? "" : decoded(parameter.substring(equals + 1)));
        }
        return address;
    }

    private static BackendAddress unix(String text) {
        SocketAddress path = UnixDomainSocketAddress.of(text.substring("unix:".length()));
        return new BackendAddress(text, path, scheme(text, "http"), 1, null, false, Settings.DEFAULTS);
    }

    private static BackendAddress inet(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the backend is " + text + "; " + BackendProtocols.forms(), e);
        }
        ClientScheme scheme = scheme(text, uri.getScheme() == null ? "" : uri.getScheme());
        String path = uri.getRawPath();
        boolean plain = uri.getHost() != null
                && uri.getRawUserInfo() == null
                && uri.getRawFragment() == null
                && (path == null || path.isEmpty() || path.equals("/"));
        if (!plain) {
            throw new IllegalArgumentException("the backend is " + text + "; " + BackendProtocols.forms()
                    + ", without user information and path, because requests keep their path");
        }
        String host = uri.getHost();
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.port();
        SocketAddress address = InetSocketAddress.createUnresolved(name, port);
        return new BackendAddress(text, address, scheme, 1, null, false, Settings.DEFAULTS);
    }

    private static ClientScheme scheme(String text, String name) {
        BackendProtocols.Entry entry = BackendProtocols.find(name.toLowerCase(Locale.ROOT));
        if (entry == null) {
            throw new IllegalArgumentException("the backend is " + text + ", and the protocol \"" + name
                    + "\" is not installed; " + BackendProtocols.forms());
        }
        return entry.scheme();
    }

    /** Values may be secrets: messages do not contain those of unknown parameters. */
    private BackendAddress with(String name, String value) {
        if (name.equals("weight")) {
            return new BackendAddress(text, address, scheme, weight(value), route, draining, settings);
        }
        if (name.equals("route") && !value.isEmpty()) {
            return new BackendAddress(text, address, scheme, weight, value, draining, settings);
        }
        if (name.equals("draining") && (value.equals("true") || value.equals("false"))) {
            return new BackendAddress(text, address, scheme, weight, route, value.equals("true"), settings);
        }
        for (Setting<?> setting : entry().provider().settings()) {
            if (setting.name().equals(name)) {
                return new BackendAddress(text, address, scheme, weight, route, draining, set(setting, value));
            }
        }
        throw new IllegalArgumentException(
                "the backend " + text + " has the parameter \"" + name + "\"; expected weight=1 to weight=" + MAX_WEIGHT
                        + ", route=NAME, draining=true, or a setting of " + scheme.protocol());
    }

    private Settings set(Setting<?> setting, String value) {
        try {
            return settings.withText(setting, value);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("the backend " + text + ": " + wrong.getMessage(), wrong);
        }
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private int weight(String digits) {
        boolean number =
                !digits.isEmpty() && digits.length() < 4 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int read = number ? Integer.parseInt(digits) : 0;
        if (read < 1 || read > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "the backend " + text + " has the weight " + digits + "; expected 1 to " + MAX_WEIGHT);
        }
        return read;
    }

    private BackendProtocols.Entry entry() {
        return Objects.requireNonNull(BackendProtocols.find(scheme.name()), "the protocol was installed");
    }

    /**
     * Creates its protocol.
     *
     * @param common the settings of all backends; its own take precedence
     * @throws IllegalArgumentException if they are invalid
     */
    ClientProtocol protocol(Settings common) {
        try {
            return entry().provider()
                    .create(
                            scheme,
                            common.overriddenBy(settings),
                            common.get(ProxyOptions.RESPONSE_TIMEOUT),
                            common.get(ProxyOptions.KEEP_ALIVE_TIMEOUT));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("the backend " + text + ": " + wrong.getMessage(), wrong);
        }
    }

    /**
     * Checks whether it speaks its protocol, as far as that is possible without a request. Blocks; the caller limits the
     * time.
     *
     * @param from the backend's output
     * @param to the backend's input
     */
    public boolean isSpoken(InputStream from, OutputStream to) throws IOException {
        return entry().provider().isSpoken(from, to);
    }

    /** The value of the Host field, if the client's is not forwarded. */
    String authority() {
        if (!(address instanceof InetSocketAddress inet)) {
            return "localhost";
        }
        String host = inet.getHostString();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + inet.getPort();
    }
}
