package io.millrace.standalone;

import io.millrace.standalone.probe.ProbeServlet;
import io.millrace.standalone.probe.RelayedServlet;
import io.millrace.standalone.probe.SlowStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The product with connectors to be tried, and with an application at its root that says what it sees. */
final class ProbeServer implements AutoCloseable {

    private final Product product;

    ProbeServer(Product product) {
        this.product = product;
    }

    /** With these connectors, serving. */
    static ProbeServer serving(Path base, String connectors) throws IOException {
        return serving(base, connectors, "<Host name=\"localhost\"/>");
    }

    /** The same with something else in the engine. */
    static ProbeServer serving(Path base, String connectors, String inEngine) throws IOException {
        prepare(base, connectors, inEngine, "");
        return new ProbeServer(Product.serving("start", "--base=" + base));
    }

    /** The same in a process of its own. */
    static ProbeServer process(Path base, String connectors) throws IOException {
        prepare(base, connectors, "<Host name=\"localhost\"/>", "");
        return new ProbeServer(Product.process().serving("start", "--base=" + base));
    }

    /** What a base directory holds; the application does not start before a file is there, if one is named. */
    static void prepare(Path base, String connectors, String inEngine, String startsWith) throws IOException {
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>\n" + connectors + "\n<Engine defaultHost=\"localhost\">\n" + inEngine
                        + "\n</Engine></Service></Server>\n");
        Path webInf = Files.createDirectories(base.resolve("webapps/ROOT/WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), webXml(startsWith));
        for (Class<?> type : List.of(ProbeServlet.class, RelayedServlet.class, SlowStart.class)) {
            copy(type.getName(), type, webInf.resolve("classes"));
        }
        copy(ProbeServlet.class.getName() + "$1", ProbeServlet.class, webInf.resolve("classes"));
        copy(RelayedServlet.class.getName() + "$Upgraded", RelayedServlet.class, webInf.resolve("classes"));
    }

    private static String webXml(String startsWith) {
        return """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
                  <context-param><param-name>startsWith</param-name><param-value>%s</param-value></context-param>
                  <listener><listener-class>io.millrace.standalone.probe.SlowStart</listener-class></listener>
                  <servlet>
                    <servlet-name>probe</servlet-name>
                    <servlet-class>io.millrace.standalone.probe.ProbeServlet</servlet-class>
                    <async-supported>true</async-supported>
                    <multipart-config/>
                  </servlet>
                  <servlet>
                    <servlet-name>relayed</servlet-name>
                    <servlet-class>io.millrace.standalone.probe.RelayedServlet</servlet-class>
                    <async-supported>true</async-supported>
                  </servlet>
                  <servlet-mapping><servlet-name>relayed</servlet-name><url-pattern>/relayed/*</url-pattern></servlet-mapping>
                  <servlet-mapping><servlet-name>probe</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>secret</web-resource-name>
                      <url-pattern>/secret/*</url-pattern>
                    </web-resource-collection>
                    <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
                  </security-constraint>
                </web-app>
                """.formatted(startsWith);
    }

    private static void copy(String name, Class<?> beside, Path classes) throws IOException {
        String file = name.replace('.', '/') + ".class";
        Path target = classes.resolve(file);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (InputStream code = beside.getResourceAsStream("/" + file)) {
            Files.write(target, Objects.requireNonNull(code, file).readAllBytes());
        }
    }

    Product product() {
        return product;
    }

    int port(int connector) {
        return product.ports().get(connector);
    }

    /** The address of a path on a plain port. */
    String url(int connector, String path) {
        return "http://localhost:" + port(connector) + path;
    }

    @Override
    public void close() {
        product.close();
    }
}
