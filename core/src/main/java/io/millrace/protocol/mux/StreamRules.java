package io.millrace.protocol.mux;

import static io.millrace.protocol.HttpOptions.ALLOW_HOST_HEADER_MISMATCH;
import static io.millrace.protocol.HttpOptions.RELAXED_PATH_CHARS;
import static io.millrace.protocol.HttpOptions.RELAXED_QUERY_CHARS;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.http.RequestPath;
import io.millrace.http.TargetOctets;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The rules for all requests of a connector on streams, whatever the protocol.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public final class StreamRules {

    private static final int PATHS = 512;

    private final Settings options;
    private final String scheme;
    private final String protocol;
    private final RequestRules request;
    private final TargetOctets bytes;
    private final LogThrottle<RequestFault> throttle = new LogThrottle<>(RequestFault.class);

    /** A cache of recent paths, indexed by hash; plain writes suffice, because paths are immutable. */
    private final @Nullable RequestPath[] paths = new @Nullable RequestPath[PATHS];

    /**
     * The rules of a connector.
     *
     * @param scheme the scheme of the connector's requests: http or https
     * @param protocol its name, for the log
     */
    public StreamRules(Settings options, String scheme, String protocol) {
        this.options = options;
        this.scheme = scheme;
        this.protocol = protocol;
        request = new RequestRules(
                options.get(MAX_HEADER_COUNT),
                options.get(ENCODED_SOLIDUS_HANDLING),
                options.get(URI_ENCODING),
                options.get(ALLOW_HOST_HEADER_MISMATCH),
                false);
        bytes = new TargetOctets(options.get(RELAXED_PATH_CHARS), options.get(RELAXED_QUERY_CHARS));
    }

    /** The settings: {@link MuxOptions}, those of all protocols, and the protocol's own. */
    public Settings options() {
        return options;
    }

    /** The scheme of the connector's requests. */
    public String scheme() {
        return scheme;
    }

    /** The rules for {@link io.millrace.protocol.RequestAssembly}. */
    public RequestRules request() {
        return request;
    }

    /** Logs that a request is not dispatched, at most once a minute for each reason. */
    public void note(RequestFault fault, ConnectionInfo info) {
        if (!throttle.isDue(fault)) {
            return;
        }
        if (fault.isMalformed()) {
            CoreLog.PROTOCOL.streamMalformed(protocol, info.remote(), fault.advice());
        } else {
            CoreLog.PROTOCOL.streamRequestRefused(protocol, info.remote(), fault.status(), fault.advice());
        }
    }

    /** Checks a request's scheme: the connector's, or either if {@link MuxOptions#ALLOW_SCHEME_MISMATCH} is set. Null if it is permitted. */
    public @Nullable RequestFault checkScheme(String named) {
        if (!named.equals("http") && !named.equals("https")) {
            return RequestFault.BAD_SCHEME;
        }
        boolean allowed = named.equals(scheme) || options.get(MuxOptions.ALLOW_SCHEME_MISMATCH);
        return allowed ? null : RequestFault.SCHEME_MISMATCH;
    }

    /**
     * Checks a request's path with its query, and sets them.
     *
     * @param target as sent
     * @return null if the target is valid; its path is checked by {@link RequestAssembly#checkTarget}
     */
    public @Nullable RequestFault target(
            RequestAssembly assembly, String method, String target, @Nullable String authority) {
        int mark = target.indexOf('?');
        String query = mark < 0 ? null : target.substring(mark + 1);
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!isTarget(raw, query)) {
            return RequestFault.BAD_TARGET;
        }
        RequestPath parsed = raw.isEmpty() ? null : path(raw, method);
        assembly.target(query == null && parsed != null ? parsed.raw() : target, parsed, query, authority);
        return RequestRules.check(method, query);
    }

    /** Whether a path and a query contain only characters that RFC 3986 or the operator allow. */
    private boolean isTarget(String path, @Nullable String query) {
        return TargetOctets.areAll(bytes.path(), path, 0, path.length())
                && (query == null || TargetOctets.areAll(bytes.query(), query, 0, query.length()));
    }

    /** The decoded and normalized path; null if it is rejected. */
    private @Nullable RequestPath path(String raw, String method) {
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
