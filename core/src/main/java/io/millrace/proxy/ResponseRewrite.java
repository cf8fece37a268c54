package io.millrace.proxy;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.settings.Settings;

/** Makes the response that a client gets of the one that a backend sent. */
final class ResponseRewrite {

    private final String via;

    ResponseRewrite(Settings settings) {
        via = settings.get(ProxyOptions.VIA);
    }

    /** Into the exchange's response, which has nothing yet. */
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

    /** On streams nothing announces them. */
    private static boolean takesTrailers(RequestHead request) {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** Those of a response, final or interim, that are for the client. */
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
     * A backend that names itself, by an address that clients need not know: its path is the client's too. Not one that would name another
     * host without the backend's name before it: browsers take a backslash for a slash, and drop tabs before they look.
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

    /** A cookie for the backend's own name would be refused: without a domain it is for the host that was asked. */
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
