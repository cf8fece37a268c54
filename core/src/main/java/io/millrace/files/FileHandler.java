package io.millrace.files;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Page;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.http.LocalReference;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files below a directory: GET, HEAD and OPTIONS, conditional requests, ranges, precompressed files, index
 * files and, if enabled, directory listings. Serves neither hidden files nor files outside the directory. The path is
 * the part that {@linkplain PathRouter#below routers have left}.
 *
 * <p>Frequently requested files are sent on the connection's thread, from memory or by the operating system. Others are
 * looked up and opened on a worker, which is free again while a slow client receives them.
 */
public final class FileHandler implements NonBlockingHandler {

    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    private final FileSource source;
    private final StaticFiles files;
    private final List<String> indexFiles;
    private final boolean listings;
    private final @Nullable String singlePage;
    private final HttpHandler search = this::search;

    FileHandler(
            FileSource source,
            StaticFiles files,
            List<String> indexFiles,
            boolean listings,
            @Nullable String singlePage) {
        this.source = source;
        this.files = files;
        this.indexFiles = List.copyOf(indexFiles);
        this.listings = listings;
        this.singlePage = singlePage;
    }

    /**
     * A handler with default settings.
     *
     * @throws IOException if the directory does not exist
     */
    public static FileHandler of(Path directory) throws IOException {
        return builder(directory).build();
    }

    /** Configures a handler. */
    public static FileHandlerBuilder builder(Path directory) {
        return new FileHandlerBuilder(directory);
    }

    @Override
    public void handle(HttpExchange exchange) {
        String method = exchange.request().method();
        if (!method.equals(Method.GET) && !method.equals(Method.HEAD)) {
            exchange.response().headers().set("Allow", ALLOWED);
            if (method.equals(Method.OPTIONS)) {
                Responses.empty(exchange, 204);
            } else {
                Responses.error(exchange, 405);
            }
        } else if (!files.answerKnown(exchange, PathRouter.below(exchange))) {
            exchange.dispatch(search);
        }
    }

    private void search(HttpExchange exchange) throws IOException {
        String path = PathRouter.below(exchange);
        ServedFile found = source.find(path);
        if (found == null) {
            files.forget(path);
            missing(exchange, path);
        } else if (!found.isDirectory()) {
            answer(exchange, path, path);
        } else if (!path.endsWith("/")) {
            Responses.redirect(exchange, 302, withSlash(exchange));
        } else {
            directory(exchange, path);
        }
    }

    private void directory(HttpExchange exchange, String path) throws IOException {
        String index = index(path);
        if (index != null) {
            answer(exchange, path, index);
        } else if (listings) {
            files.forget(path);
            String place = exchange.request().path().decoded();
            DirectoryPage page = new DirectoryPage(
                    place,
                    !path.equals("/"),
                    DirectoryOrder.of(exchange.request().query()));
            exchange.response().headers().set("Cache-Control", "no-cache");
            Page.protect(exchange.response().headers());
            Responses.html(exchange, 200, page.render(source.listing(path)));
        } else {
            files.forget(path);
            missing(exchange, path);
        }
    }

    private void missing(HttpExchange exchange, String path) throws IOException {
        if (singlePage != null && isNavigation(exchange, path)) {
            exchange.response()
                    .headers()
                    .set("Cache-Control", "no-cache"); // it names the scripts of the newest version
            exchange.response().headers().add("Vary", "Accept");
            answer(exchange, singlePage, singlePage);
        } else {
            Responses.error(exchange, 404);
        }
    }

    private static boolean isNavigation(HttpExchange exchange, String path) {
        String accept = exchange.request().headers().get("Accept");
        return accept != null && accept.contains("text/html") && path.indexOf('.', path.lastIndexOf('/') + 1) < 0;
    }

    private @Nullable String index(String path) throws IOException {
        for (String name : indexFiles) {
            ServedFile file = source.find(path + name);
            if (file != null && !file.isDirectory()) {
                return path + name;
            }
        }
        return null;
    }

    private void answer(HttpExchange exchange, String key, String path) throws IOException {
        int status = files.answer(exchange, key, path);
        if (status >= 400) {
            Responses.error(exchange, status);
        }
    }

    private static String withSlash(HttpExchange exchange) {
        RequestHead head = exchange.request();
        return LocalReference.ofDirectory(head.path().raw(), head.query());
    }
}
