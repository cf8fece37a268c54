package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a class path with neither millrace-websocket nor millrace-jsp, an application … */
class MissingModulesTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package javax.websocket.server; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME)"
                    + " public @interface ServerEndpoint { String value(); }",
            "package javax.websocket.server; public interface ServerApplicationConfig { }",
            "package chat; @javax.websocket.server.ServerEndpoint(\"/chat\") public class Room { }",
            "package chat; @javax.websocket.server.ServerEndpoint(\"/other\") public class Zone { }",
            "package shop; @javax.websocket.server.ServerEndpoint(\"/base\") public abstract class Base { }",
            "package choice; public class Chooser implements javax.websocket.server.ServerApplicationConfig { }",
            "package own; @javax.servlet.annotation.HandlesTypes(javax.websocket.server.ServerEndpoint.class)"
                    + " public class Own implements javax.servlet.ServletContainerInitializer { public void onStartup("
                    + "java.util.Set<Class<?>> types, javax.servlet.ServletContext context) { } }",
            "package own; public class Pages extends javax.servlet.http.HttpServlet { }");

    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("io.millrace.servlet.deploy"), Logger.getLogger("io.millrace.servlet.context"));

    @TempDir
    Path directory;

    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().equals(Level.WARNING)) {
                warnings.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGERS.forEach(logger -> logger.addHandler(handler));
    }

    @AfterEach
    void stopListening() {
        LOGGERS.forEach(logger -> logger.removeHandler(handler));
    }

    /** The warnings of one start. */
    private List<String> starting(Archive war) throws Exception {
        WebApplication application = WebApplication.war(war.writeTo(directory.resolve("shop.war")))
                .contextPath("/shop")
                .workDirectory(directory.resolve("work"));
        warnings.clear();
        Server.builder().port(0).failFast(true).application(application).start().close();
        return List.copyOf(warnings);
    }

    private static Archive with(String... packages) {
        Archive war = new Archive().webXml("");
        for (String each : packages) {
            war.classes(Sources.only(each, CLASSES));
        }
        return war;
    }

    private static void assertWarned(String text, List<String> warnings) {
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains(text), warnings.get(0));
    }

    @Test
    void isWarnedOnceOfItsWebSocketEndpoints() throws Exception {
        assertWarned("MILLRACE4107: shop.war has WebSocket endpoints (chat.Room),", starting(with("chat/", "shop/")));
        assertTrue(warnings.element().contains("add the artifact io.millrace:millrace-websocket"));
    }

    /** The second start takes the jar's classes from the index of the first. */
    @Test
    void isWarnedOfEndpointsInItsLibrariesAtEachStart() throws Exception {
        Archive war =
                new Archive().webXml("").library("chat.jar", new Archive().with("", Sources.only("chat/", CLASSES)));
        assertWarned("(chat.Room)", starting(war));
        assertWarned("(chat.Room)", starting(war));
    }

    @Test
    void isWarnedOfAClassThatChoosesEndpoints() throws Exception {
        assertWarned("(choice.Chooser)", starting(with("choice/", "javax/")));
    }

    @Test
    void isNotWarnedIfItsOwnLibrariesDeployEndpoints() throws Exception {
        Archive war = with("chat/", "own/", "javax/")
                .with("WEB-INF/classes/META-INF/services/javax.servlet.ServletContainerInitializer", "own.Own");
        assertEquals(List.of(), starting(war));
    }

    @Test
    void isNotWarnedWithoutEndpointsAndPages() throws Exception {
        assertEquals(
                List.of(),
                starting(with("shop/", "javax/").with("index.html", "Hello").with("a/b.txt", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"index.jsp", "WEB-INF/views/deep/cart.jspx"})
    void isWarnedOnceOfItsJspPages(String page) throws Exception {
        assertWarned(
                "MILLRACE4954: Application /shop has JSP pages (/" + page + "),",
                starting(with().with(page, "Hello").with("zone/at/a/greater/depth/z.jsp", "")));
        assertTrue(warnings.element().contains("add the artifact io.millrace:millrace-jsp"));
    }

    @Test
    void isWarnedOfAPageDeclaredAsServlet() throws Exception {
        Archive war =
                new Archive().webXml("<servlet><servlet-name>a</servlet-name><jsp-file>/gone.jsp</jsp-file></servlet>");
        assertWarned("(/gone.jsp)", starting(war));
    }

    @Test
    void isNotWarnedIfItBringsAServletForPages() throws Exception {
        Archive war = new Archive()
                .webXml("<servlet><servlet-name>pages</servlet-name><servlet-class>own.Pages</servlet-class></servlet>"
                        + "<servlet-mapping><servlet-name>pages</servlet-name><url-pattern>*.jsp</url-pattern>"
                        + "</servlet-mapping>")
                .classes(Sources.only("own/Pages", CLASSES))
                .with("index.jsp", "Hello");
        assertEquals(List.of(), starting(war));
    }
}
