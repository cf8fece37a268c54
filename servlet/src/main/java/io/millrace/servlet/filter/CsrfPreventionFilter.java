package io.millrace.servlet.filter;

import io.millrace.http.Authority;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.jboss.logging.Logger;

/**
 * Admits only requests from links of the application's own pages, with the init-params of Tomcat's {@code CsrfPreventionFilter}:
 * links that the application encodes get a nonce as a parameter, which requests must have. Unlike in Tomcat, links to other
 * servers get none; {@code randomClass} is ignored, as nonces are always from a {@code SecureRandom}.
 */
public final class CsrfPreventionFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = Logger.getLogger(CsrfPreventionFilter.class);

    /** The attributes with the nonce of the request, and with the name of the parameter. */
    private static final String NONCE = "org.apache.catalina.filters.CSRF_NONCE";

    private static final String PARAMETER_NAME = "org.apache.catalina.filters.CSRF_NONCE_PARAM_NAME";

    private Set<String> entryPoints = Set.of();
    private String parameter = NONCE;
    private int denyStatus;
    private boolean enforces = true;
    private transient CsrfNonces nonces = new CsrfNonces(NONCE, 0);
    private transient List<LinkPattern> unmarked = List.of();

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                "denyStatus",
                "entryPoints",
                "nonceCacheSize",
                "nonceRequestParameterName",
                "noNonceURLPatterns",
                "enforce",
                "randomClass");
        denyStatus = parameters.denyStatus();
        entryPoints = Set.copyOf(parameters.list("entryPoints", ""));
        parameter = parameters.text("nonceRequestParameterName", NONCE);
        enforces = parameters.flag("enforce", true);
        nonces = new CsrfNonces(NONCE, parameters.number("nonceCacheSize", 5, 1, Integer.MAX_VALUE));
        unmarked = patterns(parameters);
    }

    /** A regular expression between slashes, or patterns separated by commas. */
    private static List<LinkPattern> patterns(FilterParameters parameters) throws ServletException {
        String all = parameters.text("noNonceURLPatterns", "");
        if (all.length() > 1 && all.startsWith("/") && all.endsWith("/")) {
            return List.of(LinkPattern.expression("noNonceURLPatterns", all.substring(1, all.length() - 1)));
        }
        List<LinkPattern> patterns = new ArrayList<>();
        parameters.list("noNonceURLPatterns", "").forEach(each -> patterns.add(LinkPattern.of(each)));
        return patterns;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean entry = request.getMethod().equals("GET") && entryPoints.contains(path(request));
        if (!entry && !nonces.has(request.getSession(false), request.getParameter(parameter))) {
            LOG.debugf("%s %s has no valid %s", request.getMethod(), path(request), parameter);
            if (enforces) {
                response.sendError(denyStatus);
                return;
            }
        }
        String nonce = nonces.add(request.getSession());
        request.setAttribute(NONCE, nonce);
        request.setAttribute(PARAMETER_NAME, parameter);
        chain.doFilter(request, new MarkedLinks(request, response, parameter, nonce, unmarked));
    }

    /** The path within the application. */
    static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    /** A response that adds a parameter to links to its own server. */
    @SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
    private static final class MarkedLinks extends HttpServletResponseWrapper {

        private final HttpServletRequest request;
        private final String name;
        private final String mark;
        private final List<LinkPattern> unmarked;

        MarkedLinks(
                HttpServletRequest request,
                HttpServletResponse response,
                String parameter,
                String value,
                List<LinkPattern> unmarked) {
            super(response);
            this.request = request;
            this.name = URLEncoder.encode(parameter, StandardCharsets.UTF_8) + '=';
            this.mark = name + value;
            this.unmarked = unmarked;
        }

        @Override
        public String encodeURL(String url) {
            return marked(super.encodeURL(url));
        }

        @Override
        public String encodeRedirectURL(String url) {
            return marked(super.encodeRedirectURL(url));
        }

        @Override
        @Deprecated
        public String encodeUrl(String url) {
            return encodeURL(url);
        }

        @Override
        @Deprecated
        public String encodeRedirectUrl(String url) {
            return encodeRedirectURL(url);
        }

        private String marked(String url) {
            if (url.startsWith("#")
                    || isForeign(url)
                    || unmarked.stream().anyMatch(pattern -> pattern.matches(url, request.getServletContext()))) {
                return url;
            }
            int hash = url.indexOf('#');
            String fragment = hash < 0 ? "" : url.substring(hash);
            String link = hash < 0 ? url : url.substring(0, hash);
            int question = link.indexOf('?');
            if (question < 0) {
                return link + '?' + mark + fragment;
            }
            String rest = withoutMark(link.substring(question + 1));
            return link.substring(0, question + 1) + (rest.isEmpty() ? "" : rest + '&') + mark + fragment;
        }

        /** Removes the parameter that a link already has if it was encoded before. */
        private String withoutMark(String query) {
            StringBuilder kept = new StringBuilder();
            for (String pair : query.split("&", -1)) {
                if (!pair.startsWith(name)) {
                    kept.append(kept.length() == 0 ? "" : "&").append(pair);
                }
            }
            return kept.toString();
        }

        /** True for {@code mailto:} and for other servers, which must not learn the nonce. */
        private boolean isForeign(String url) {
            if (!url.startsWith("//") && !url.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*")) {
                return false;
            }
            String own = "//" + request.getServerName();
            int port = request.getServerPort();
            boolean usual = port == Authority.defaultPort(request.isSecure());
            String authority = url.substring(Math.max(0, url.indexOf("//")));
            return !(begins(authority, own + ':' + port) || usual && begins(authority, own));
        }

        /** Whether the authority equals the server's: {@code //a.example.com} does not match {@code //a.example}. */
        private static boolean begins(String authority, String own) {
            return authority.regionMatches(true, 0, own, 0, own.length())
                    && (authority.length() == own.length() || "/?#".indexOf(authority.charAt(own.length())) >= 0);
        }
    }
}
