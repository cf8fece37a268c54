package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Sources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ServletContextListener … (Servlet 3.1, 4.4) */
final class ContextListenersTest {

    private static final String IMPORTS = "package web; import java.util.*; import javax.servlet.*; ";

    /** Calls each method of the context that configures it or asks for its configuration, and counts how they end. */
    private static final String CALLS = IMPORTS + """
            public class Calls {
                static String of(ServletContext context) {
                    Map<String, Integer> ends = new TreeMap<>();
                    for (java.lang.reflect.Method method : ServletContext.class.getMethods()) {
                        if (!method.getName().matches("add.*|create.*|declareRoles|getClassLoader|getEffective.*"
                                + "|getDefault.*|getFilter.*|getServletReg.*|getSessionC.*|getSessionT.*|getJsp.*"
                                + "|getVirtual.*|get.*CharacterEncoding|set.*")
                                || method.getName().equals("setAttribute")) {
                            continue;
                        }
                        Object[] arguments = new Object[method.getParameterCount()];
                        for (int i = 0; i < arguments.length; i++) {
                            arguments[i] = method.getParameterTypes()[i] == int.class ? (Object) 7 : null;
                        }
                        String end = "other";
                        try {
                            method.invoke(context, arguments);
                        } catch (java.lang.reflect.InvocationTargetException e) {
                            if (e.getCause() instanceof UnsupportedOperationException) {
                                end = "unsupported";
                            }
                        } catch (IllegalAccessException e) {
                            end = e.toString();
                        }
                        ends.merge(end, 1, Integer::sum);
                    }
                    return ends.toString();
                }
            }
            """;

    private static final String INITIALIZER = IMPORTS + """
            public class Init implements ServletContainerInitializer {
                public void onStartup(Set<Class<?>> types, ServletContext context) {
                    context.addListener(new ServletContextListener() {
                        public void contextInitialized(ServletContextEvent event) {
                            ServletContext seen = event.getServletContext();
                            seen.setAttribute("added", Calls.of(seen) + seen.getContextPath());
                        }
                    });
                }
            }
            """;

    private static final String DECLARED = IMPORTS + """
            @javax.servlet.annotation.WebListener
            public class Declared implements ServletContextListener {
                static List<String> told = new ArrayList<>();
                public void contextInitialized(ServletContextEvent event) {
                    ServletContext context = event.getServletContext();
                    told.add(tried(() -> context.addListener(new Late())));
                    told.add(tried(() -> context.addListener(Late.class)));
                    told.add(tried(() -> context.addListener("web.Late")));
                    told.add(tried(() -> context.addListener(new LateForBoth())));
                    told.add(tried(() -> context.createListener(EventListener.class)));
                    told.add(tried(() -> context.createListener(Late.class)));
                    told.add(tried(() -> context.setInitParameter(null, "x")));
                    context.setAttribute("declared", told);
                }
                interface Try { void run() throws Exception; }
                static String tried(Try call) {
                    try {
                        call.run();
                        return "ok";
                    } catch (Exception e) {
                        return e.getClass().getSimpleName();
                    }
                }
                public static class Late implements ServletContextListener {
                    public void contextInitialized(ServletContextEvent event) {
                        told.add("late");
                    }
                }
                public static class LateForBoth extends Late implements ServletRequestListener {
                    public void requestInitialized(ServletRequestEvent event) {
                        told.add("request");
                    }
                }
            }
            """;

    private static final String SERVLET = IMPORTS + """
            @javax.servlet.annotation.WebServlet("/*")
            public class Report extends javax.servlet.http.HttpServlet {
                protected void doGet(javax.servlet.http.HttpServletRequest request,
                        javax.servlet.http.HttpServletResponse response) throws java.io.IOException {
                    ServletContext context = getServletContext();
                    String late = Declared.tried(() -> context.setInitParameter(null, "x"));
                    response.getWriter().print(context.getAttribute(request.getPathInfo().substring(1)) + late);
                }
            }
            """;

    private static final Map<String, byte[]> CLASSES =
            Sources.compile(CALLS, INITIALIZER, DECLARED.replace("web.Late", "web.Declared$Late"), SERVLET);

    @TempDir
    Path directory;

    private String report(String name) throws Exception {
        Archive war = new Archive()
                .classes(CLASSES)
                .with("WEB-INF/classes/META-INF/services/javax.servlet.ServletContainerInitializer", "web.Init");
        WebApplication application =
                WebApplication.war(war.writeTo(directory.resolve("ROOT.war"))).workDirectory(directory.resolve("work"));
        try (Server server =
                Server.builder().port(0).failFast(true).application(application).start()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/" + name);
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void configuresNothingIfItWasAddedInCode() throws Exception {
        assertEquals("{unsupported=34}NullPointerException", report("added"));
    }

    @Test
    void isAddedByInitializersOnly() throws Exception {
        assertEquals(
                "[IllegalArgumentException, IllegalArgumentException, IllegalArgumentException, ok,"
                        + " IllegalArgumentException, ok, NullPointerException, request]NullPointerException",
                report("declared"));
    }
}
