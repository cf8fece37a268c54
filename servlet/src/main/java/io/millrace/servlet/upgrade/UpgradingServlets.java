package io.millrace.servlet.upgrade;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.servlet.GenericServlet;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import org.jspecify.annotations.Nullable;

/**
 * Which servlets may open a tunnel: only they are called for an extended CONNECT (RFC 8441) to a path that is no endpoint, since all that
 * others could answer is a page, which the client would not get. Read from class files, as a servlet cannot say so itself.
 */
final class UpgradingServlets {

    /** What a class names that upgrades requests: {@code HttpServletRequest.upgrade} returns the former. */
    private static final String[] APIS = {
        "javax/servlet/http/HttpUpgradeHandler", "org/apache/tomcat/websocket/server/WsServerContainer"
    };

    /** A class of Spring's WebSockets. Its servlets find out whether a path is a WebSocket only while they handle the request. */
    private static final String SPRING = "org/springframework/web/socket/server/RequestUpgradeStrategy.class";

    private UpgradingServlets() {}

    /** Whether the servlet, one of its superclasses or their nested classes can upgrade, or the application has Spring's WebSockets. */
    static boolean mayUpgrade(Servlet servlet) {
        for (Class<?> type = servlet.getClass(); isOfApplication(type); type = type.getSuperclass()) {
            if (isUpgrading(type)) {
                return true;
            }
        }
        ClassLoader application = servlet.getClass().getClassLoader();
        return application != null && application.getResource(SPRING) != null;
    }

    private static boolean isOfApplication(@Nullable Class<?> type) {
        return type != null && type != HttpServlet.class && type != GenericServlet.class && type != Object.class;
    }

    private static boolean isUpgrading(Class<?> type) {
        try {
            if (namesApi(type)) {
                return true;
            }
            for (Class<?> each : type.getNestMembers()) { // of the outermost class
                if (each.getName().startsWith(type.getName() + '$') && namesApi(each)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | LinkageError unknown) {
            return true;
        }
    }

    /** Also if there is no class file to be read, as that of a proxy class. */
    private static boolean namesApi(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                return true;
            }
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.contains(APIS[0]) || text.contains(APIS[1]);
        }
    }
}
