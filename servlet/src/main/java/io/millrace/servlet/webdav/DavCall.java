package io.millrace.servlet.webdav;

import io.millrace.http.Authority;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.uri.ContextPath;
import io.millrace.servlet.uri.UrlEscapes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/** One WebDAV request: its resource, and its header fields. */
final class DavCall {

    static final int INFINITY = Integer.MAX_VALUE;

    private final HttpServletRequest request;
    private final String prefix;
    private final String scope;
    private final String path;
    private final boolean slash;

    /**
     * The call of a request.
     *
     * @param prefix the part of URLs between the context path and the paths of resources
     * @param scope the path below which this servlet serves resources
     */
    private DavCall(HttpServletRequest request, String prefix, String scope, String decoded) {
        this.request = request;
        this.prefix = prefix;
        this.scope = scope;
        this.path = DavPath.of(decoded);
        this.slash = decoded.endsWith("/");
    }

    static DavCall of(HttpServletRequest request, DavSettings settings) {
        String servlet = request.getServletPath();
        String info = request.getPathInfo() == null ? "" : request.getPathInfo();
        if (request.getHttpServletMapping().getMappingMatch() == MappingMatch.DEFAULT) {
            return new DavCall(request, "", "", servlet);
        }
        return settings.subpath()
                ? new DavCall(request, "", servlet, servlet + info)
                : new DavCall(request, servlet, "", info);
    }

    HttpServletRequest request() {
        return request;
    }

    String path() {
        return path;
    }

    String prefix() {
        return prefix;
    }

    /** Whether the URL ends like that of a collection. */
    boolean hasSlash() {
        return slash;
    }

    /** The URL of a resource, without the host. */
    String href(String of, boolean collection) {
        return UrlEscapes.encode(ContextPath.decoded(request.getServletContext()) + prefix + of)
                + (collection ? "/" : "");
    }

    @Nullable
    String user() {
        return request.getRemoteUser();
    }

    /** Whether the application's constraints permit a method on another resource. */
    boolean mayReach(String method, String other) {
        return HttpServletRequestImpl.of(request).security().mayReach(method, prefix + (other.isEmpty() ? "/" : other));
    }

    /**
     * The Depth field: 0, 1 or {@link #INFINITY}, the default of all methods.
     *
     * @throws DavFault 400
     */
    int depth() throws DavFault {
        String field = request.getHeader("Depth");
        return switch (field == null ? "infinity" : field.strip().toLowerCase(Locale.ROOT)) {
            case "0" -> 0;
            case "1" -> 1;
            case "infinity" -> INFINITY;
            default -> throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        };
    }

    /**
     * Whether an existing target may be replaced (RFC 4918, 10.6).
     *
     * @throws DavFault 400
     */
    boolean overwrite() throws DavFault {
        String field = request.getHeader("Overwrite");
        return switch (field == null ? "T" : field.strip().toUpperCase(Locale.ROOT)) {
            case "T" -> true;
            case "F" -> false;
            default -> throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        };
    }

    /**
     * The path of the Destination field (RFC 4918, 10.3).
     *
     * @throws DavFault 400 without one; 502 if it is on another server, 403 if it is not below this servlet
     */
    String destination() throws DavFault {
        String field = request.getHeader("Destination");
        URI uri = field == null ? null : uri(field.strip());
        if (uri == null) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        if (!isHere(uri)) {
            throw new DavFault(HttpServletResponse.SC_BAD_GATEWAY);
        }
        String found = resolve(uri);
        if (found == null) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        return found;
    }

    /** The path of a URL; null if this servlet does not serve it. */
    @Nullable
    String pathOf(String url) {
        URI uri = uri(url);
        return uri == null || !isHere(uri) ? null : resolve(uri);
    }

    /** By the rules of request paths: decoded once, dot segments resolved. */
    private @Nullable String resolve(URI uri) {
        RequestPath parsed = RequestPath.parse(uri.getRawPath(), EncodedSlash.REJECT);
        String base = ContextPath.decoded(request.getServletContext()) + prefix;
        String decoded = parsed == null ? "" : parsed.decoded();
        boolean below = parsed != null
                && DavPath.isWithin(decoded, base)
                && DavPath.isWithin(decoded.substring(base.length()), scope);
        return below ? DavPath.of(decoded.substring(base.length())) : null;
    }

    /** The parsed URI; null if it is neither absolute nor an absolute path. */
    private static @Nullable URI uri(String text) {
        try {
            URI uri = new URI(text);
            return uri.getRawPath() != null && uri.getRawPath().startsWith("/") ? uri : null;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    /** True for this server. The scheme is ignored, as a front end may have terminated TLS. */
    private boolean isHere(URI uri) {
        String authority = uri.getRawAuthority();
        if (authority == null || authority.equalsIgnoreCase(request.getHeader("Host"))) {
            return true;
        }
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        int port = uri.getPort() < 0 ? Authority.defaultPort(secure) : uri.getPort();
        return request.getServerName().equalsIgnoreCase(uri.getHost()) && request.getServerPort() == port;
    }
}
