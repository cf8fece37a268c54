package io.millrace.standalone.differential;

import io.millrace.standalone.differential.probe.ScriptServlet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Base directories with the probe's WARs, alike for both servers. */
public final class ProbeApplications {

    /** Contexts whose guard compares what follows the context path in the request URI; by the names of their WARs. */
    static final List<String> GUARDED = List.of("guard", "n sp", "n\u00fc", "n%41", "a#b", "ROOT");

    /** Of all entries, so that Last-Modified and ETag are the same on both servers. */
    private static final FileTime TIME = FileTime.fromMillis(1_500_000_000_000L);

    private static final String USERS = """
            <tomcat-users>
              <user username="ada" password="lovelace" roles="clerk"/>
              <user username="bob" password="b&#228; b" roles="clerk,boss"/>
              <user username="eve" password="eve" roles="none"/>
            </tomcat-users>
            """;

    private ProbeApplications() {}

    /** Writes a base directory whose Connector has this port and protocol. */
    public static void prepare(Path base, int port, String protocol) throws IOException {
        prepare(
                base,
                "<Connector port=\"" + port + "\" address=\"127.0.0.1\" protocol=\"" + protocol
                        + "\" redirectPort=\"8443\"/>");
    }

    /** Writes a base directory with a Connector for each transport, in their order. */
    public static void prepare(Path base, List<String> transports) throws IOException {
        prepare(
                base,
                transports.stream()
                        .map(transport ->
                                "<Connector port=\"0\" address=\"127.0.0.1\" redirectPort=\"8443\" protocol=\""
                                        + transport + "\"/>")
                        .collect(Collectors.joining()));
    }

    private static void prepare(Path base, String connectors) throws IOException {
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("server.xml"), """
            <Server port="-1">
              <Service name="Catalina">
                %s
                <Engine name="Catalina" defaultHost="localhost">
                  <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                  <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """.formatted(connectors));
        Files.writeString(conf.resolve("tomcat-users.xml"), USERS);
        Path webapps = Files.createDirectories(base.resolve("webapps"));
        for (String name : List.of("app", "basic", "digest", "form", "dav", "files")) {
            war(webapps.resolve(name + ".war"), name, "");
        }
        for (String name : GUARDED) {
            war(webapps.resolve(name + ".war"), "guard", "uri");
        }
        war(webapps.resolve("pathguard.war"), "guard", "path");
    }

    private static void war(Path war, String template, String guards) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        add(directory("/io/millrace/standalone/differential/" + template), "", entries);
        add(
                directory("/" + ScriptServlet.class.getPackageName().replace('.', '/')),
                "WEB-INF/classes/" + ScriptServlet.class.getPackageName().replace('.', '/') + "/",
                entries);
        entries.computeIfPresent(
                "WEB-INF/web.xml",
                (name, xml) -> new String(xml, StandardCharsets.UTF_8)
                        .replace("@GUARDS@", guards)
                        .getBytes(StandardCharsets.UTF_8));
        if (template.equals("files")) {
            oddFiles(entries);
        }
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setLastModifiedTime(TIME);
                zip.putNextEntry(entry);
                zip.write(each.getValue());
            }
        }
    }

    /** What a source tree should not contain. */
    private static void oddFiles(Map<String, byte[]> entries) throws IOException {
        for (String name : List.of(
                "a b.txt",
                "pl+us.txt",
                "per%cent.txt",
                "umlaut \u00e4.txt",
                "semi;colon.txt",
                "hash#.txt",
                "q'uote.txt")) {
            entries.put(name, name.getBytes(StandardCharsets.UTF_8));
        }
        entries.put("large.txt", "0123456789abcdef\n".repeat(2000).getBytes(StandardCharsets.UTF_8));
        entries.put("packed.css", "a {}".getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("a {}".getBytes(StandardCharsets.UTF_8));
        }
        entries.put("packed.css.gz", packed.toByteArray());
        entries.put("empty.txt", new byte[0]);
        entries.put("bom.txt", new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, 'b'});
    }

    private static Path directory(String resource) {
        URL found = Objects.requireNonNull(ProbeApplications.class.getResource(resource), resource);
        try {
            return Path.of(new URI(found.toString()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(Path directory, String prefix, Map<String, byte[]> entries) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.put(
                        prefix + directory.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }
}
