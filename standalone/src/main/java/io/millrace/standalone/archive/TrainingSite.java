package io.millrace.standalone.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A base directory with what most servers have: a port, a WAR with a servlet, a jar and static files. Without TLS: each start
 * loads all classes of the archive, so that classes which only some servers need would cost the others memory.
 */
final class TrainingSite {

    private static final String SERVER_XML = """
            <Server port="-1">
              <Service name="training">
                <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"/>
                <Engine name="training" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps">
                    <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs"
                        prefix="access" suffix=".txt" pattern="common"/>
                  </Host>
                </Engine>
              </Service>
            </Server>
            """;

    private static final String WEB_XML = """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
              <servlet>
                <servlet-name>training</servlet-name>
                <servlet-class>SERVLET</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping><servlet-name>training</servlet-name><url-pattern>/servlet</url-pattern></servlet-mapping>
              <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
            </web-app>
            """;

    private static final String JAR = "WEB-INF/lib/empty.jar";

    private TrainingSite() {}

    /** Creates it in an empty directory, and returns that. */
    static Path create(Path base) throws IOException {
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("logs"));
        Files.writeString(conf.resolve("server.xml"), SERVER_XML);
        Path war = Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            add(zip, "WEB-INF/web.xml", WEB_XML.replace("SERVLET", TrainingServlet.class.getName()));
            add(zip, "index.html", "<!DOCTYPE html><title>Training</title>");
            addServlet(zip);
            zip.putNextEntry(new ZipEntry(JAR));
            emptyJar(zip);
        }
        return base;
    }

    private static void add(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a copy of the class: applications do not see the server's classes. */
    private static void addServlet(ZipOutputStream zip) throws IOException {
        String file = TrainingServlet.class.getName().replace('.', '/') + ".class";
        zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + file));
        try (InputStream in = TrainingServlet.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("the class file " + file + " is missing");
            }
            in.transferTo(zip);
        }
    }

    private static void emptyJar(OutputStream to) throws IOException {
        ZipOutputStream jar = new ZipOutputStream(to);
        add(jar, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n");
        jar.finish();
    }
}
