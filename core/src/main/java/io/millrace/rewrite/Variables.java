package io.millrace.rewrite;

import io.millrace.http.HttpDates;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.text.EditDistance;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The variables {@code %{NAME}}, {@code %{HTTP:field}}, {@code %{ENV:name}} and {@code %{SSL:name}}, with their meaning in Tomcat 9.
 * An unknown value is empty.
 */
final class Variables {

    /** One variable. */
    @FunctionalInterface
    interface Variable {

        String of(RewriteScope scope);
    }

    private static final Map<String, Variable> NAMED = new TreeMap<>();

    static {
        field("HTTP_USER_AGENT", "User-Agent");
        field("HTTP_REFERER", "Referer");
        field("HTTP_COOKIE", "Cookie");
        field("HTTP_FORWARDED", "Forwarded");
        field("HTTP_PROXY_CONNECTION", "Proxy-Connection");
        field("HTTP_ACCEPT", "Accept");
        NAMED.put("HTTP_HOST", scope -> hostOf(scope.exchange().request().authority()));
        NAMED.put("REMOTE_ADDR", scope -> address(info(scope).remote()));
        NAMED.put("REMOTE_HOST", scope -> address(info(scope).remote()));
        NAMED.put("REMOTE_PORT", scope -> port(info(scope).remote()));
        NAMED.put("REMOTE_USER", Variables::user);
        NAMED.put("REMOTE_IDENT", Variables::user);
        NAMED.put("AUTH_TYPE", scope -> "");
        NAMED.put("SERVER_NAME", scope -> address(info(scope).local()));
        NAMED.put("SERVER_ADDR", scope -> address(info(scope).local()));
        NAMED.put("SERVER_PORT", scope -> port(info(scope).local()));
        NAMED.put("SERVER_PROTOCOL", scope -> protocol(scope.exchange().request()));
        NAMED.put("SERVER_SOFTWARE", scope -> "millrace");
        NAMED.put("REQUEST_METHOD", scope -> scope.exchange().request().method());
        NAMED.put("REQUEST_URI", scope -> scope.exchange().request().path().raw());
        NAMED.put("REQUEST_PATH", scope -> scope.exchange().request().path().decoded());
        NAMED.put("CONTEXT_PATH", RewriteScope::contextPath);
        NAMED.put("SERVLET_PATH", RewriteScope::path);
        NAMED.put("PATH_INFO", scope -> "");
        NAMED.put("QUERY_STRING", scope -> orEmpty(scope.exchange().request().query()));
        NAMED.put("THE_REQUEST", Variables::requestLine);
        NAMED.put("REQUEST_FILENAME", scope -> file(scope, scope.path()));
        NAMED.put("SCRIPT_FILENAME", scope -> file(scope, scope.path()));
        NAMED.put("DOCUMENT_ROOT", scope -> file(scope, "/"));
        NAMED.put("HTTPS", scope -> isSecure(scope) ? "on" : "off");
        NAMED.put("IS_SUBREQ", scope -> "false");
        time("TIME_YEAR", LocalDateTime::getYear);
        time("TIME_MON", now -> now.getMonthValue() - 1); // as in Tomcat: January is 0
        time("TIME_DAY", LocalDateTime::getDayOfMonth);
        time("TIME_HOUR", now -> now.getHour() % 24);
        time("TIME_MIN", LocalDateTime::getMinute);
        time("TIME_SEC", LocalDateTime::getSecond);
        time("TIME_WDAY", now -> now.getDayOfWeek().getValue() % 7 + 1); // as in Tomcat: Sunday is 1
        NAMED.put("TIME", scope -> HttpDates.now());
    }

    private Variables() {}

    private static void field(String name, String field) {
        NAMED.put(name, scope -> field(scope, field));
    }

    private static void time(String name, ToIntFunction<LocalDateTime> part) {
        NAMED.put(name, scope -> String.valueOf(part.applyAsInt(LocalDateTime.now(ZoneId.systemDefault()))));
    }

    /** @throws IllegalArgumentException if there is no such variable */
    static Variable named(String name) {
        int colon = name.indexOf(':');
        String key = name.substring(colon + 1);
        switch (colon < 0 ? "" : name.substring(0, colon)) {
            case "HTTP" -> {
                return scope -> field(scope, key);
            }
            case "ENV" -> {
                return scope -> orEmpty(scope.environment().getOrDefault(key, System.getProperty(key, "")));
            }
            case "SSL" -> {
                return TlsVariables.named(key);
            }
            case "" -> {
                Variable variable = NAMED.get(name);
                if (variable != null) {
                    return variable;
                }
            }
            default -> {}
        }
        throw new IllegalArgumentException(
                "there is no variable %{" + name + "}" + EditDistance.suggestion(name, NAMED.keySet()));
    }

    /** Does the variable access the file system? */
    static boolean isBlocking(String name) {
        return name.endsWith("_FILENAME") || name.equals("DOCUMENT_ROOT");
    }

    private static ConnectionInfo info(RewriteScope scope) {
        return scope.exchange().channel().info();
    }

    private static String field(RewriteScope scope, String name) {
        return orEmpty(scope.exchange().request().headers().get(name));
    }

    private static boolean isSecure(RewriteScope scope) {
        return scope.exchange().request().scheme().equals("https");
    }

    private static String user(RewriteScope scope) {
        FrontEnd frontEnd = info(scope).frontEnd();
        FrontEndUser user = frontEnd == null ? null : frontEnd.notes().user();
        return user == null ? "" : user.name();
    }

    private static String requestLine(RewriteScope scope) {
        RequestHead request = scope.exchange().request();
        return request.method() + " " + request.path().raw() + " " + protocol(request);
    }

    private static String protocol(RequestHead request) {
        return request.version().toString();
    }

    private static String file(RewriteScope scope, String path) {
        Path found = scope.files().find(path);
        return found == null ? "" : found.toString();
    }

    /** Without the port. */
    static String hostOf(@Nullable String authority) {
        if (authority == null) {
            return "";
        }
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    private static String port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? String.valueOf(inet.getPort()) : "";
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
