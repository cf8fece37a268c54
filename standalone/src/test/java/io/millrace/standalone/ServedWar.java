package io.millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A WAR that the product serves to all tests of a class, each of which visits it as a client without cookies. To be a static
 * field, registered as an extension.
 */
final class ServedWar implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

    private final String war;
    private final String contextPath;
    private @Nullable String users;
    private @Nullable Path directory;
    private @Nullable Product product;

    private ServedWar(String war, String contextPath) {
        this.war = war;
        this.contextPath = contextPath;
    }

    static ServedWar at(String contextPath, String war) {
        return new ServedWar(war, contextPath);
    }

    /** Who may log in, as tomcat-users.xml has it. */
    ServedWar users(String xml) {
        users = xml;
        return this;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path work = Files.createTempDirectory("millrace-it");
        directory = work;
        List<String> words =
                new ArrayList<>(List.of("run", "--port=0", "--address=127.0.0.1", "--work=" + work.resolve("work")));
        if (users != null) {
            words.add("--users=" + Files.writeString(work.resolve("users.xml"), users));
        }
        words.add(war);
        product = Product.process().launch(words.toArray(String[]::new));
        product.awaitStart();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        Files.deleteIfExists(file("cookies"));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (product != null) {
            product.close();
        }
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Keeps cookies during one test. */
    Visitor visitor() {
        return new Visitor(url(), file("cookies"));
    }

    /** Another one. */
    Visitor stranger() {
        return new Visitor(url(), file("none"));
    }

    /** Of the application. */
    String url() {
        return product().url(contextPath);
    }

    /** A file to be sent, received or looked at. */
    Path file(String name) {
        return directory().resolve(name);
    }

    Product product() {
        return started(product);
    }

    private Path directory() {
        return started(directory);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the product has not been started");
        }
        return part;
    }
}
