package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.http.Headers;
import io.millrace.io.Payload;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files below a directory: GET and HEAD, conditional requests, index files. Nothing outside the directory, no
 * dot files, no listings; always the whole file. The path is what the {@linkplain PathRouter#below routers left}. Opening
 * files may block, so it runs on a worker; the kernel sends them without one.
 */
public final class FileHandler implements HttpHandler {

    private final FileTree tree;
    private final MimeTypes types;
    private final @Nullable String indexFile;

    FileHandler(FileTree tree, MimeTypes types, @Nullable String indexFile) {
        this.tree = tree;
        this.types = types;
        this.indexFile = indexFile;
    }

    /**
     * A handler with the defaults.
     *
     * @throws IOException if there is no such directory
     */
    public static FileHandler of(Path directory) throws IOException {
        return builder(directory).build();
    }

    /** A handler to be described. */
    public static FileHandlerBuilder builder(Path directory) {
        return new FileHandlerBuilder(directory);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String method = exchange.request().method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.response().headers().set("Allow", "GET, HEAD, OPTIONS");
            Responses.refuseMethod(exchange, method);
            return;
        }
        String path = PathRouter.below(exchange);
        Path file = tree.find(path);
        BasicFileAttributes attributes = file == null ? null : tree.attributes(file);
        if (file == null || attributes == null) {
            Responses.error(exchange, 404);
        } else if (attributes.isDirectory()) {
            directory(exchange, path);
        } else if (attributes.isRegularFile() && !path.endsWith("/")) {
            file(exchange, file, attributes);
        } else {
            Responses.error(exchange, 404);
        }
    }

    private void directory(HttpExchange exchange, String path) throws IOException {
        if (!path.endsWith("/")) {
            Responses.redirect(exchange, 302, withSlash(exchange));
            return;
        }
        Path index = indexFile == null ? null : tree.find(path + indexFile);
        BasicFileAttributes attributes = index == null ? null : tree.attributes(index);
        if (index == null || attributes == null || !attributes.isRegularFile()) {
            Responses.error(exchange, 404);
        } else {
            file(exchange, index, attributes);
        }
    }

    private void file(HttpExchange exchange, Path file, BasicFileAttributes attributes) throws IOException {
        Validators validators = Validators.of(attributes);
        validators.describe(exchange.response().headers());
        if (validators.matchedBy(exchange.request().headers())) {
            Responses.empty(exchange, 304);
            return;
        }
        FileChannel channel = open(file);
        if (channel == null) {
            exchange.response().headers().remove("ETag").remove("Last-Modified");
            Responses.error(exchange, 404);
        } else {
            send(exchange, channel, types.of(file));
        }
    }

    private static void send(HttpExchange exchange, FileChannel channel, String type) throws IOException {
        Headers headers = exchange.response().headers();
        try {
            headers.set("Content-Type", type);
            long size = channel.size();
            exchange.response().contentLength(size);
            boolean bodiless = size == 0 || exchange.request().method().equals("HEAD");
            Payload body = bodiless ? Payload.NOTHING : new Payload.FileRegion(channel, 0, size);
            exchange.output().write(body, true, failure -> FileTree.close(channel));
        } catch (IOException | RuntimeException failure) {
            FileTree.close(channel);
            throw failure;
        }
    }

    /** Null if the file vanished meanwhile or may not be read: to the client there is none. */
    private @Nullable FileChannel open(Path file) throws IOException {
        try {
            return FileTree.open(file);
        } catch (NoSuchFileException | java.nio.file.AccessDeniedException e) {
            return null;
        }
    }

    /** Made of the normalised path: as the client wrote it, it could begin with two slashes and lead to another host. */
    private static String withSlash(HttpExchange exchange) {
        try {
            URI path = new URI(null, null, exchange.request().path().decoded() + "/", null);
            String query = exchange.request().query();
            return path.toASCIIString() + (query == null ? "" : "?" + query);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(
                    "a normalised path is no URI: " + exchange.request().path(), e);
        }
    }
}
