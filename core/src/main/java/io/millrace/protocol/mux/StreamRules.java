package io.millrace.protocol.mux;

import static io.millrace.protocol.HttpOptions.ALLOW_HOST_HEADER_MISMATCH;
import static io.millrace.protocol.HttpOptions.RELAXED_PATH_CHARS;
import static io.millrace.protocol.HttpOptions.RELAXED_QUERY_CHARS;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.http.RequestPath;
import io.millrace.http.TargetOctets;
import io.millrace.protocol.RequestRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * What every request on a stream is held to, whatever the protocol: one for each connector.
 *
 * <p><b>Threads.</b> Any.
 */
public final class StreamRules {

    private static final int PATHS = 512;

    private final Settings options;
    private final String scheme;
    private final RequestRules request;
    private final TargetOctets octets;

    /** Paths that were asked for lately, each at the place of its hash; published by plain writes, as they are immutable. */
    private final @Nullable RequestPath[] paths = new @Nullable RequestPath[PATHS];

    /**
     * The rules of a connector.
     *
     * @param scheme of the connector's requests: http or https
     */
    public StreamRules(Settings options, String scheme) {
        this.options = options;
        this.scheme = scheme;
        request = new RequestRules(
                options.get(MAX_HEADER_COUNT),
                options.get(ENCODED_SOLIDUS_HANDLING),
                options.get(URI_ENCODING),
                options.get(ALLOW_HOST_HEADER_MISMATCH),
                false);
        octets = new TargetOctets(options.get(RELAXED_PATH_CHARS), options.get(RELAXED_QUERY_CHARS));
    }

    /** {@link MuxOptions}, those of all protocols, and the protocol's own. */
    public Settings options() {
        return options;
    }

    /** What its requests come by. */
    public String scheme() {
        return scheme;
    }

    /** For {@link io.millrace.protocol.RequestAssembly}. */
    public RequestRules request() {
        return request;
    }

    /** May a request say that it came by this scheme? Behind a front end that ends TLS it may be another. */
    public boolean allowsScheme(String named) {
        return named.equals(scheme) || options.get(MuxOptions.ALLOW_SCHEME_MISMATCH);
    }

    /** Do a path and a query hold only what RFC 3986 and the operator allow? */
    public boolean isTarget(String path, @Nullable String query) {
        return TargetOctets.areAll(octets.path(), path, 0, path.length())
                && (query == null || TargetOctets.areAll(octets.query(), query, 0, query.length()));
    }

    /** The path written here, decoded and normalised; null if it is refused. */
    public @Nullable RequestPath path(String raw, String method) {
        int hash = raw.hashCode();
        int slot = (hash ^ hash >>> 9 ^ hash >>> 18) & PATHS - 1;
        RequestPath recent = paths[slot];
        if (recent != null && recent.raw().equals(raw)) {
            return recent;
        }
        RequestPath path = request.path(raw, method);
        if (path != null && !path.isAsterisk()) {
            paths[slot] = path;
        }
        return path;
    }
}
