package io.millrace.rewrite;

import io.millrace.http.Authority;
import io.millrace.http.HttpDates;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.text.EditDistance;
import io.millrace.text.PemText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
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

    /** Whether the variable accesses the file system. */
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
        String host = Authority.hostOf(authority);
        return host == null ? "" : host;
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

    /** The variables {@code %{SSL:name}}, of the connection and of the certificates of both ends ({@code SSL_CLIENT_}, {@code SSL_SERVER_}). */
    static final class TlsVariables {

        private static final Map<String, Function<X509Certificate, String>> OF_CERTIFICATE = Map.of(
                "M_VERSION", certificate -> String.valueOf(certificate.getVersion()),
                "M_SERIAL", certificate -> certificate.getSerialNumber().toString(),
                "S_DN", certificate -> certificate.getSubjectX500Principal().toString(),
                "I_DN", certificate -> certificate.getIssuerX500Principal().getName(),
                "V_START",
                        certificate -> String.valueOf(
                                certificate.getNotBefore().toInstant().toEpochMilli()),
                "V_END",
                        certificate -> String.valueOf(
                                certificate.getNotAfter().toInstant().toEpochMilli()),
                "V_REMAIN", TlsVariables::remainingDays,
                "A_SIG", X509Certificate::getSigAlgName,
                "A_KEY", certificate -> certificate.getPublicKey().getAlgorithm(),
                "CERT", TlsVariables::pem);

        /** A component of a distinguished name, or an alternative name by its index. */
        private static final Pattern PART = Pattern.compile("(S|I)_DN_(\\w+)|SAN_(Email|DNS)_(\\d+)");

        /** The types of alternative names (RFC 5280, 4.2.1.6). */
        private static final Map<String, Integer> KINDS = Map.of("Email", 1, "DNS", 2);

        private TlsVariables() {}

        /** @throws IllegalArgumentException if there is no such variable */
        static Variables.Variable named(String name) {
            if (name.startsWith("SSL_CLIENT_") || name.startsWith("SSL_SERVER_")) {
                boolean client = name.startsWith("SSL_CLIENT_");
                Function<X509Certificate, String> property = property(name, name.substring("SSL_CLIENT_".length()));
                return scope -> {
                    X509Certificate certificate = certificate(info(scope), client);
                    return certificate == null ? "" : property.apply(certificate);
                };
            }
            return switch (name) {
                case "HTTPS" -> scope -> info(scope).isSecure() ? "true" : "";
                case "SSL_PROTOCOL" -> scope -> property(scope, SSLSession::getProtocol, FrontEnd::tlsVersion);
                case "SSL_CIPHER" -> scope -> property(scope, SSLSession::getCipherSuite, FrontEnd::cipherSuite);
                case "SSL_SESSION_ID" ->
                    scope -> property(scope, session -> HexFormat.of().formatHex(session.getId()), frontEnd -> null);
                default ->
                    throw new IllegalArgumentException("there is no variable %{SSL:" + name
                            + "}; expected HTTPS, SSL_PROTOCOL, SSL_CIPHER, SSL_SESSION_ID, or one of SSL_CLIENT_ or"
                            + " SSL_SERVER_ and "
                            + OF_CERTIFICATE.keySet().stream().sorted().toList());
            };
        }

        private static ConnectionInfo info(RewriteScope scope) {
            return scope.exchange().channel().info();
        }

        private static String property(
                RewriteScope scope, Function<SSLSession, String> here, Function<FrontEnd, @Nullable String> before) {
            SSLSession session = info(scope).tlsSession();
            FrontEnd frontEnd = info(scope).frontEnd();
            String found = session != null ? here.apply(session) : frontEnd == null ? null : before.apply(frontEnd);
            return found == null ? "" : found;
        }

        private static Function<X509Certificate, String> property(String whole, String name) {
            Function<X509Certificate, String> simple = OF_CERTIFICATE.get(name);
            if (simple != null) {
                return simple;
            }
            Matcher part = PART.matcher(name);
            if (!part.matches()) {
                throw new IllegalArgumentException("there is no variable %{SSL:" + whole + "}");
            }
            if (part.group(1) == null) {
                int kind = KINDS.getOrDefault(part.group(3), 0);
                int number = Integer.parseInt(part.group(4));
                return certificate -> alternative(certificate, kind, number);
            }
            boolean subject = part.group(1).equals("S");
            String component = part.group(2);
            return certificate -> component(
                    (subject ? certificate.getSubjectX500Principal() : certificate.getIssuerX500Principal()).getName(),
                    component);
        }

        private static @Nullable X509Certificate certificate(ConnectionInfo info, boolean client) {
            SSLSession session = info.tlsSession();
            if (session == null) {
                return null;
            }
            try {
                Certificate[] chain = client ? session.getPeerCertificates() : session.getLocalCertificates();
                return chain != null && chain.length > 0 && chain[0] instanceof X509Certificate first ? first : null;
            } catch (SSLPeerUnverifiedException none) {
                return null;
            }
        }

        /**
         * The value of the first component of a type in a distinguished name (RFC 2253), without escapes; empty if there is none. An
         * escaped comma or plus sign is part of a value.
         */
        static String component(String name, String type) {
            StringBuilder part = new StringBuilder();
            for (int i = 0; i <= name.length(); i++) {
                char c = i == name.length() ? ',' : name.charAt(i);
                if (c == '\\' && i + 1 < name.length()) {
                    part.append(name.charAt(++i));
                } else if (c != ',' && c != '+') {
                    part.append(c);
                } else if (part.indexOf(type + "=") == 0) {
                    return part.substring(type.length() + 1);
                } else {
                    part.setLength(0);
                }
            }
            return "";
        }

        private static String alternative(X509Certificate certificate, int kind, int number) {
            try {
                List<String> names = certificate.getSubjectAlternativeNames() == null
                        ? List.of()
                        : certificate.getSubjectAlternativeNames().stream()
                                .filter(name -> name.get(0).equals(kind))
                                .map(name -> String.valueOf(name.get(1)))
                                .toList();
                return number < names.size() ? names.get(number) : "";
            } catch (CertificateParsingException unreadable) {
                return "";
            }
        }

        private static String remainingDays(X509Certificate certificate) {
            long left = certificate.getNotAfter().toInstant().toEpochMilli() - System.currentTimeMillis();
            return String.valueOf(Math.max(0, Duration.ofMillis(left).toDays()));
        }

        private static String pem(X509Certificate certificate) {
            try {
                return PemText.of(certificate);
            } catch (CertificateEncodingException unreadable) {
                return "";
            }
        }
    }
}
