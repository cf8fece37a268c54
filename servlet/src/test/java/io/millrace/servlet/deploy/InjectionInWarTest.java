package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Sources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.annotation.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A WAR is injected … */
class InjectionInWarTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package javax.ejb; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) public @interface EJB { }",
            "package shop; import javax.annotation.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebServlet(\"/cart\") public class Cart extends HttpServlet {"
                    + " @Resource(name = \"colour\") String colour; @javax.ejb.EJB Object bean;"
                    + " @PostConstruct void begin() { colour += \"!\"; }"
                    + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                    + " throws java.io.IOException { response.getWriter().print(colour + bean + (Resource.class"
                    + ".getClassLoader() == Cart.class.getClassLoader())); } }");

    private static final String ENTRY = "<env-entry><env-entry-name>colour</env-entry-name>"
            + "<env-entry-type>java.lang.String</env-entry-type><env-entry-value>red</env-entry-value></env-entry>";

    @TempDir
    Path directory;

    private String answer(Archive war) throws Exception {
        WebApplication application =
                WebApplication.war(war.writeTo(directory.resolve("shop.war"))).workDirectory(directory.resolve("work"));
        try (Server server =
                Server.builder().port(0).failFast(true).application(application).start()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/cart");
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void byTheAnnotationsOfTheContainer() throws Exception {
        assertEquals("red!nullfalse", answer(new Archive().webXml(ENTRY).classes(CLASSES)));
    }

    @Test
    void exceptWithWhatOnlyAFullServerHas() throws Exception {
        Queue<String> said = new ConcurrentLinkedQueue<>();
        Logger logger = Logger.getLogger("io.millrace.servlet.inject");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            assertEquals("red!nullfalse", answer(new Archive().webXml(ENTRY).classes(CLASSES)));
        } finally {
            logger.removeHandler(handler);
        }
        assertEquals(1, said.size(), said.toString());
        assertTrue(said.element().contains("MILLRACE4955: field bean of class shop.Cart"), said.toString());
    }

    @Test
    void byTheAnnotationsItBrings() throws Exception {
        Path jar = Path.of(
                Objects.requireNonNull(Resource.class.getProtectionDomain().getCodeSource())
                        .getLocation()
                        .toURI());
        Archive war = new Archive().webXml(ENTRY).classes(CLASSES);
        assertEquals("red!nulltrue", answer(war.with("WEB-INF/lib/annotations.jar", Files.readAllBytes(jar))));
    }
}
