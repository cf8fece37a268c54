package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** {@code millrace start} with a Host that scans its webapps every second, and WARs for it. */
final class DeployingHost implements AutoCloseable {

    private final Path base;
    private @Nullable Product product;

    /**
     * A base directory, not started yet.
     *
     * @param attributes further ones of the Host
     */
    DeployingHost(Path base, String attributes) throws IOException {
        this.base = base;
        Files.createDirectories(webapps("ROOT"));
        Files.writeString(webapps("ROOT/index.html"), "root");
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server port="-1"><Service name="s"><Connector port="0" address="127.0.0.1"/>
                <Engine name="e" defaultHost="localhost">
                <Host name="localhost" appBase="webapps" backgroundProcessorDelay="1" %s/></Engine></Service></Server>
                """.formatted(attributes));
    }

    /** Starts it, or starts it again. */
    DeployingHost start() throws IOException {
        product = Product.serving("start", "--base=" + base);
        return this;
    }

    Product product() {
        return Objects.requireNonNull(product, "not started");
    }

    /** A file below the directory of applications. */
    Path webapps(String name) {
        return base.resolve("webapps").resolve(name);
    }

    /** Writes the file that describes one application of the Host. */
    Path describe(String name, String xml) throws IOException {
        Path directory = Files.createDirectories(base.resolve("conf/e/localhost"));
        return Files.writeString(directory.resolve(name), xml);
    }

    /**
     * Puts a WAR into webapps, by one rename: index.html and page.jsp have the text, page.jsp begins a session, and end.jsp ends it.
     */
    void war(String name, String text) throws IOException {
        war(name, text, "<web-app version=\"3.1\"/>");
    }

    /** The same with a web.xml of its own. */
    void war(String name, String text, String webXml) throws IOException {
        Path made = base.resolve("new.war");
        Map<String, String> entries = Map.of(
                "WEB-INF/web.xml", webXml,
                "index.html", text,
                "page.jsp", text,
                "end.jsp", "gone<% session.invalidate(); %>");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(made))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(made, webapps(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** The body at a path, which is the last of these words; those before it are options of curl. */
    String page(String... words) {
        String[] all = words.clone();
        all[all.length - 1] = product().url(all[all.length - 1]);
        try {
            return Curl.run(all).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitPage(String path, String text) {
        Deadline.await(path + " to say " + text, () -> page(path).equals(text));
    }

    void awaitStatus(String path, int status) {
        Deadline.await(
                path + " to answer " + status,
                () -> page("-w", "%{http_code}", path).endsWith(String.valueOf(status)));
    }

    @Override
    public void close() {
        if (product != null) {
            product.close();
        }
    }
}
