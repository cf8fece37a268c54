package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.VirtualHost;
import io.millrace.testkit.Deadline;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** MBeans … */
final class MBeansTest {

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    private static final String OF_JSR77 = ",J2EEApplication=none,J2EEServer=none";

    private static Set<String> names(String query) throws JMException {
        return BEANS.queryNames(new ObjectName(query), null).stream()
                .map(ObjectName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Object read(String name, String attribute) {
        try {
            return BEANS.getAttribute(new ObjectName(name), attribute);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The attributes, and the operations with parentheses. */
    private static String shape(String name) throws JMException {
        MBeanInfo info = BEANS.getMBeanInfo(new ObjectName(name));
        return Arrays.stream(info.getAttributes())
                        .map(MBeanAttributeInfo::getName)
                        .collect(Collectors.joining(" "))
                + Arrays.stream(info.getOperations())
                        .map(MBeanOperationInfo::getName)
                        .map(each -> " " + each + "()")
                        .collect(Collectors.joining());
    }

    private static WebApplication shop() {
        return WebApplication.builder("/shop")
                .servlet(
                        "sells",
                        Serving.with((request, response) ->
                                response.getWriter().print(request.getSession().getId())),
                        "/buy")
                .build();
    }

    @Test
    void haveTheNamesAndAttributesOfTomcats() throws Exception {
        WebApplication shop = shop();
        try (Server server = Server.builder()
                .connector(Connector.builder().port(0).build())
                .application(shop)
                .jmxDomain("Tomcat")
                .start()) {
            String connector = "\"http-" + server.connectors().get(0).transport() + "-" + server.port() + "\"";
            Map<String, String> expected = new TreeMap<>(Map.of(
                    "type=Server",
                    "serverInfo stateName",
                    "type=ThreadPool,name=" + connector,
                    "maxThreads currentThreadCount currentThreadsBusy connectionCount keepAliveCount maxConnections running",
                    "type=GlobalRequestProcessor,name=" + connector,
                    "requestCount errorCount bytesReceived bytesSent processingTime maxTime resetCounters()",
                    "type=Manager,host=localhost,context=/shop",
                    "activeSessions maxActive maxActiveSessions sessionCounter expiredSessions rejectedSessions"
                            + " sessionMaxAliveTime sessionAverageAliveTime processingTime duplicates expireSession()",
                    "j2eeType=WebModule,name=//localhost/shop" + OF_JSR77,
                    "path docBase stateName startupTime startTime webappVersion servlets processingTime",
                    "j2eeType=Servlet,WebModule=//localhost/shop,name=sells" + OF_JSR77,
                    "requestCount errorCount processingTime maxTime loadTime",
                    "type=Connector,port=" + server.port(),
                    "port protocol scheme stateName",
                    "type=ProtocolHandler,port=" + server.port(),
                    "name connectionCount"));
            Map<String, String> found = new TreeMap<>();
            for (String each : names("Tomcat:*")) {
                String plain = each.substring("Tomcat:".length());
                if (!plain.contains(",name=default,") && !plain.contains(",name=jsp,")) {
                    found.put(plain, shape(each));
                }
            }
            assertEquals(expected, found);

            String id = get(server, "/shop/buy").body();
            assertEquals(404, get(server, "/shop/none").statusCode());
            String requests = "Tomcat:type=GlobalRequestProcessor,name=" + connector;
            Deadline.await("two requests", () -> read(requests, "requestCount").equals(2L));
            assertEquals(1L, read(requests, "errorCount"));
            BEANS.invoke(new ObjectName(requests), "resetCounters", new Object[0], new String[0]);
            assertEquals(0L, read(requests, "requestCount"));
            String module = "Tomcat:j2eeType=WebModule,name=//localhost/shop" + OF_JSR77;
            String servlet = "Tomcat:j2eeType=Servlet,WebModule=//localhost/shop,name=sells" + OF_JSR77;
            assertTrue(Arrays.asList((String[]) read(module, "servlets")).contains(servlet));
            assertEquals(1, read(servlet, "requestCount"));

            ObjectName manager = new ObjectName("Tomcat:type=Manager,host=localhost,context=/shop");
            assertEquals(1, read(manager.toString(), "activeSessions"));
            Object[] session = {id};
            String[] text = {String.class.getName()};
            BEANS.invoke(manager, "expireSession", session, text);
            assertEquals(0, read(manager.toString(), "activeSessions"));
            assertEquals(1L, read(manager.toString(), "expiredSessions"));
            assertThrows(MBeanException.class, () -> BEANS.invoke(manager, "expireSession", session, text));

            server.undeploy(shop, Duration.ofSeconds(5));
            assertEquals(
                    Set.of(),
                    names("Tomcat:*").stream()
                            .filter(each -> each.contains("shop"))
                            .collect(Collectors.toSet()));
        }
        assertEquals(Set.of(), names("Tomcat:*"));
    }

    @Test
    void areDistinctForVersionsHostsAndOddPaths() throws Exception {
        VirtualHost named =
                VirtualHost.named("shop.example").application(shop()).application(shop().version("2"));
        try (Server server = Server.builder()
                .connector(Connector.builder().port(0).build())
                .application(shop())
                .application(WebApplication.builder("/a,b=\"c\"").build())
                .application(WebApplication.builder("").build())
                .virtualHost(named)
                .jmxDomain("Several")
                .start()) {
            assertEquals(
                    new TreeSet<>(Set.of(
                            "Several:type=Manager,host=localhost,context=/",
                            "Several:type=Manager,host=localhost,context=/shop",
                            "Several:type=Manager,host=localhost,context=\"/a,b=\\\"c\\\"\"",
                            "Several:type=Manager,host=shop.example,context=/shop",
                            "Several:type=Manager,host=shop.example,context=/shop##2")),
                    names("Several:type=Manager,*"));
            assertEquals(5, names("Several:j2eeType=WebModule,*").size());
            assertTrue(names("Several:j2eeType=WebModule,*")
                    .contains("Several:j2eeType=WebModule,name=//localhost/" + OF_JSR77));
            assertEquals(200, get(server, "/shop/buy").statusCode());
        }
        assertEquals(Set.of(), names("Several:*"));
    }

    @Test
    void areNotThereUnlessADomainIsSet() throws Exception {
        Set<String> before = names("*:*");
        try (Server server = Server.builder()
                .connector(Connector.builder().port(0).build())
                .application(shop())
                .start()) {
            assertEquals(200, get(Objects.requireNonNull(server), "/shop/buy").statusCode());
            assertEquals(before, names("*:*"));
        }
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
