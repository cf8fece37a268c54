package io.millrace.maven;

import io.millrace.maven.launch.ForkedMain;
import io.millrace.maven.launch.PackagedMain;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Makes one jar of the server and the WAR: {@code java -jar app.jar}, with the options of {@code millrace run}. */
@Mojo(name = "package", defaultPhase = LifecyclePhase.PACKAGE)
public final class PackageMojo extends ServerMojo {

    private static final String SERVICES = "META-INF/services/";

    /** Signatures of single jars, descriptions of modules, and the manifests. */
    private static final Pattern LEFT_OUT = Pattern.compile(
            "META-INF/(MANIFEST\\.MF|INDEX\\.LIST|[^/]*\\.(SF|RSA|DSA|EC))|(META-INF/versions/\\d+/)?module-info\\.class");

    /** The jar to make. */
    @Parameter(
            property = "millrace.jar",
            defaultValue = "${project.build.directory}/${project.build.finalName}-millrace.jar")
    private File jar;

    @Override
    void run() throws IOException, MojoFailureException {
        Path war = war();
        Files.createDirectories(jar.toPath().toAbsolutePath().getParent());
        Set<String> there = new HashSet<>();
        Map<String, String> services = new TreeMap<>();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar.toPath()))) {
            add(out, there, "META-INF/MANIFEST.MF", manifest());
            for (Path each : serverJars()) {
                merge(each, out, there, services);
            }
            for (Class<?> type : List.of(ForkedMain.class, PackagedMain.class)) {
                String name = type.getName().replace('.', '/') + ".class";
                try (InputStream in = type.getResourceAsStream("/" + name)) {
                    add(out, there, name, in.readAllBytes());
                }
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                add(out, there, service.getKey(), service.getValue().getBytes(StandardCharsets.UTF_8));
            }
            add(out, there, "millrace-app.path", contextPath().getBytes(StandardCharsets.UTF_8));
            add(out, there, "millrace-app.war", Files.readAllBytes(war));
        }
        getLog().info("java -jar " + jar);
    }

    private byte[] manifest() throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, PackagedMain.class.getName());
        main.put(Attributes.Name.MULTI_RELEASE, "true");
        main.put(Attributes.Name.IMPLEMENTATION_TITLE, "Millrace with " + project.getArtifactId());
        main.put(Attributes.Name.IMPLEMENTATION_VERSION, version());
        main.putValue("Add-Opens", String.join(" ", OPENED));
        main.putValue("Enable-Native-Access", "ALL-UNNAMED");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        return bytes.toByteArray();
    }

    /** The server's. */
    private static String version() {
        String version = PackageMojo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static void merge(Path from, JarOutputStream out, Set<String> there, Map<String, String> services)
            throws IOException {
        try (ZipFile zip = new ZipFile(from.toFile())) {
            for (ZipEntry entry : zip.stream().<ZipEntry>map(each -> each).toList()) {
                String name = entry.getName();
                if (entry.isDirectory() || LEFT_OUT.matcher(name).matches()) {
                    continue;
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    byte[] content = in.readAllBytes();
                    if (name.startsWith(SERVICES)) {
                        services.merge(
                                name, new String(content, StandardCharsets.UTF_8).strip() + "\n", String::concat);
                    } else {
                        add(out, there, name, content);
                    }
                }
            }
        }
    }

    /** The first of each name, as on a class path; the same bytes at each build. */
    private static void add(JarOutputStream out, Set<String> there, String name, byte[] content) throws IOException {
        if (there.add(name)) {
            ZipEntry entry = new ZipEntry(name);
            entry.setLastModifiedTime(
                    FileTime.fromMillis(315_532_800_000L)); // the first day of 1980, as zip files count
            out.putNextEntry(entry);
            out.write(content);
            out.closeEntry();
        }
    }
}
