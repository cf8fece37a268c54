package io.millrace.proxy;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.settings.Settings;

/** Creates the client's response from the backend's. */
final class ResponseRewrite {

    private final String via;

    ResponseRewrite(Settings settings) {
        via = settings.get(ProxyOptions.VIA);
    }

    /** Sets the exchange's response, which is empty before. */
    void rewrite(ResponseHead from, Backend backend, HttpExchange exchange) {
        ResponseHead to = exchange.response();
        to.status(from.status()).reason(from.reason());
        fields(from.headers(), backend, to.headers());
        to.contentLength(from.contentLength());
        boolean announced = from.headers().contains("Trailer");
        RequestHead request = exchange.request();
        boolean possible = from.contentLength() < 0 && request.version() != HttpVersion.HTTP_1_0;
        if (possible && (announced || takesTrailers(request))) {
            to.trailers(new Headers());
        }
    }

    /** In HTTP/2, trailers are not announced. */
    private static boolean takesTrailers(RequestHead request) {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** Copies the fields of a response, final or interim, without those of the connection. */
    void fields(Headers from, Backend backend, Headers to) {
        HopByHop hopByHop = new HopByHop(from);
        for (int i = 0; i < from.size(); i++) {
            String name = from.name(i);
            if (!hopByHop.contains(name)) {
                to.add(name, value(name, from.value(i), backend));
            }
        }
        if (!via.isEmpty()) {
            to.add("Via", "1.1 " + via);
        }
    }

    private static String value(String name, String value, Backend backend) {
        if (name.equalsIgnoreCase("Location") || name.equalsIgnoreCase("Content-Location")) {
            return local(value, backend.address().authority());
        }
        return name.equalsIgnoreCase("Set-Cookie") ? withoutDomain(value, backend) : value;
    }

    /**
     * Replaces a URI with the backend's own address, which clients need not know, by its path. Not if the path alone would name another
     * host: browsers treat a backslash as a slash, and remove tabs before parsing.
     */
    private static String local(String location, String authority) {
        for (String scheme : new String[] {"http://", "https://"}) {
            String own = scheme + authority;
            if (location.regionMatches(true, 0, own, 0, own.length())) {
                String rest = location.substring(own.length());
                if (rest.isEmpty() || rest.charAt(0) == '?') {
                    return "/" + rest;
                }
                if (rest.charAt(0) == '/' && (rest.length() == 1 || !isDropped(rest.charAt(1)))) {
                    return rest;
                }
            }
        }
        return location;
    }

    private static boolean isDropped(char c) {
        return c == '/' || c == '\\' || c <= ' ';
    }

    /** Removes the backend's own name as a domain, for which browsers would reject the cookie. */
    private static String withoutDomain(String cookie, Backend backend) {
        String authority = backend.address().authority();
        String host = authority.substring(0, Math.max(0, authority.lastIndexOf(':')));
        StringBuilder kept = new StringBuilder();
        for (String part : cookie.split(";", -1)) {
            String attribute = part.strip();
            boolean own = attribute.equalsIgnoreCase("Domain=" + host) || attribute.equalsIgnoreCase("Domain=." + host);
            if (!own) {
                kept.append(kept.isEmpty() ? "" : ";").append(part);
            }
        }
        return kept.toString();
    }
}
