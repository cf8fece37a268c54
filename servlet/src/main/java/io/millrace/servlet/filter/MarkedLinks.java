package io.millrace.servlet.filter;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** A response that adds a parameter to links to its own server. */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
final class MarkedLinks extends HttpServletResponseWrapper {

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
        boolean usual = port == (request.isSecure() ? 443 : 80);
        String authority = url.substring(Math.max(0, url.indexOf("//")));
        return !(begins(authority, own + ':' + port) || usual && begins(authority, own));
    }

    /** True if the authority equals the server's: {@code //a.example.com} does not match {@code //a.example}. */
    private static boolean begins(String authority, String own) {
        return authority.regionMatches(true, 0, own, 0, own.length())
                && (authority.length() == own.length() || "/?#".indexOf(authority.charAt(own.length())) >= 0);
    }
}
