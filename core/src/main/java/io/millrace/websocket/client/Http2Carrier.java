package io.millrace.websocket.client;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** HTTP/2 as a carrier of WebSockets (RFC 8441). Thread-safe. */
public final class Http2Carrier {

    /** The ALPN id of HTTP/2. */
    static final String ID = "h2";

    /** What {@link #over} expects to be offered by ALPN. */
    public static final List<String> OFFERED = List.of(ID, "http/1.1");

    private static final int MAX_REMEMBERED = 256;

    private final ClientProtocol secure;
    private final ClientProtocol plain;
    private final Set<String> withoutTunnels;
    private final @Nullable TlsClientEngines engines;

    private Http2Carrier(
            ClientProtocol secure,
            ClientProtocol plain,
            Set<String> withoutTunnels,
            @Nullable TlsClientEngines engines) {
        this.secure = secure;
        this.plain = plain;
        this.withoutTunnels = withoutTunnels;
        this.engines = engines;
    }

    /** The HTTP/2 that is installed, without TLS; null if there is none. */
    public static @Nullable Http2Carrier installed() {
        ClientProtocol secure = null;
        ClientProtocol plain = null;
        for (ClientProtocolProvider each :
                ServiceLoader.load(ClientProtocolProvider.class, Http2Carrier.class.getClassLoader())) {
            for (ClientScheme scheme : each.schemes()) {
                if (scheme.name().equals(ID)) {
                    secure = protocol(each, scheme);
                } else if (scheme.name().equals("h2c")) {
                    plain = protocol(each, scheme);
                }
            }
        }
        return secure == null || plain == null
                ? null
                : new Http2Carrier(secure, plain, Collections.synchronizedSet(remembered()), null);
    }

    private static Set<String> remembered() {
        return Collections.newSetFromMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > MAX_REMEMBERED;
            }
        });
    }

    /** The handshake as a whole has a timeout. */
    private static ClientProtocol protocol(ClientProtocolProvider provider, ClientScheme scheme) {
        return provider.create(scheme, Settings.DEFAULTS, Duration.ZERO, Duration.ZERO);
    }

    /**
     * The same with TLS.
     *
     * @param offering engines that offer {@link #OFFERED} by ALPN
     */
    public Http2Carrier over(TlsClientEngines offering) {
        return new Http2Carrier(secure, plain, withoutTunnels, offering);
    }

    /** Over TLS. */
    ClientProtocol secure() {
        return secure;
    }

    /** Without TLS, by prior knowledge. */
    ClientProtocol plain() {
        return plain;
    }

    /** Offer HTTP/2 by ALPN; null if there are none. */
    @Nullable
    TlsClientEngines engines() {
        return engines;
    }

    /** Whether a server has HTTP/2, but no tunnels on it. */
    boolean lacksTunnels(String authority) {
        return withoutTunnels.contains(authority);
    }

    /** Records that a server has no tunnels. */
    void rememberWithoutTunnels(String authority) {
        withoutTunnels.add(authority);
    }
}
