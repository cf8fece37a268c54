package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The product with a port for each transport, and a directory of files for its root application; started. */
final class FileServer implements AutoCloseable {

    static final List<String> TRANSPORTS = AllTransports.TRANSPORTS;

    private final Path base;
    private final Product product;

    private FileServer(Path base, Product product) {
        this.base = base;
        this.product = product;
    }

    /** Files may be put {@linkplain #root there} before and after. */
    static FileServer start(Path base) throws IOException {
        prepare(base, "");
        return new FileServer(base, Product.serving("start", "--base=" + base));
    }

    /**
     * As {@link #start(Path)}, in a process of its own.
     *
     * @param attributes further ones of every Connector
     */
    static FileServer startProcess(Path base, String attributes) throws IOException {
        prepare(base, attributes);
        return new FileServer(base, Product.process().serving("start", "--base=" + base));
    }

    private static void prepare(Path base, String attributes) throws IOException {
        StringBuilder connectors = new StringBuilder();
        for (String transport : TRANSPORTS) {
            connectors
                    .append(
                            "<Connector port=\"0\" address=\"127.0.0.1\" acceptCount=\"1024\" maxKeepAliveRequests=\"-1\" protocol=\"")
                    .append(transport)
                    .append("\" ")
                    .append(attributes)
                    .append("/>\n");
        }
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>\n" + connectors + "<Engine><Host/></Engine></Service></Server>\n",
                ISO_8859_1);
        Files.createDirectories(root(base));
    }

    static Path root(Path base) {
        return base.resolve("webapps/ROOT");
    }

    Path file(String name) {
        return root(base).resolve(name);
    }

    int port(String transport) {
        return product.ports().get(TRANSPORTS.indexOf(transport));
    }

    long pid() {
        return product.pid();
    }

    @Override
    public void close() {
        product.close();
    }
}
