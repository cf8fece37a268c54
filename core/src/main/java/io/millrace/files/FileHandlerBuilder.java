package io.millrace.files;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures a {@link FileHandler}. */
public final class FileHandlerBuilder {

    private final Path directory;
    private final Map<String, String> types = new HashMap<>();
    private List<String> indexFiles = List.of("index.html");
    private SymbolicLinks links = SymbolicLinks.INSIDE;
    private List<Precompressed> precompressed = Precompressed.USUAL;
    private CacheLimits cache = CacheLimits.DEFAULTS;
    private @Nullable Charset charset;
    private boolean ranges = true;
    private boolean listings;
    private @Nullable String singlePage;

    FileHandlerBuilder(Path directory) {
        this.directory = directory;
    }

    /**
     * The names of index files; the first that exists is served for its directory. Default: {@code index.html}. Empty
     * for none.
     */
    public FileHandlerBuilder indexFiles(String... names) {
        indexFiles = List.of(names);
        return this;
    }

    /** The {@code Content-Type} of files with this extension ({@code md} for example), in addition to the well-known ones. */
    public FileHandlerBuilder contentType(String extension, String type) {
        types.put(extension.toLowerCase(Locale.ROOT), type);
        return this;
    }

    /** The charset parameter of {@code text/*} types. Default: none. */
    public FileHandlerBuilder charset(Charset value) {
        charset = Objects.requireNonNull(value);
        return this;
    }

    /** Which symbolic links are followed. Default: {@link SymbolicLinks#INSIDE}. */
    public FileHandlerBuilder symbolicLinks(SymbolicLinks value) {
        links = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The kinds of precompressed files that are sent instead of a file to clients that accept them, in order of
     * preference: for example {@code page.html.br} for {@code page.html}. Default: {@link Precompressed#USUAL}.
     */
    public FileHandlerBuilder precompressed(Precompressed... kinds) {
        precompressed = List.of(kinds);
        return this;
    }

    /**
     * The file that is sent, with status 200, where no file exists and a browser asks for a page: for sites whose paths are
     * evaluated by a script. A request that does not accept HTML, or whose path ends with an extension, still gets a 404 response,
     * so that a missing script or image is not answered with a page. Default: none.
     *
     * @param path below the directory, with a leading slash: {@code /index.html}
     */
    public FileHandlerBuilder singlePage(String path) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the page is \"" + path + "\"; expected the path of a file, such as /index.html");
        }
        singlePage = path;
        return this;
    }

    /** Whether range requests are supported. Default: true. */
    public FileHandlerBuilder ranges(boolean value) {
        ranges = value;
        return this;
    }

    /** Whether a directory without an index file is listed. Default: false; the response is then 404. */
    public FileHandlerBuilder listings(boolean value) {
        listings = value;
        return this;
    }

    /** The limits of the cache. Default: {@link CacheLimits#DEFAULTS}. */
    public FileHandlerBuilder cache(CacheLimits value) {
        cache = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Creates the handler.
     *
     * @throws IOException if the directory does not exist
     */
    public FileHandler build() throws IOException {
        FileTree tree = new FileTree(directory, links);
        MimeTypes known = new MimeTypes(types, charset);
        FileRules rules = new FileRules(known::of, precompressed, ranges, true);
        return new FileHandler(tree, new StaticFiles(tree, rules, cache), indexFiles, listings, singlePage);
    }

    /** Content types by the extension of a file's name. */
    private static final class MimeTypes {

        private static final String UNKNOWN = "application/octet-stream";

        private static final String[] WELL_KNOWN = {
            "avif", "image/avif",
            "bmp", "image/bmp",
            "css", "text/css",
            "csv", "text/csv",
            "gif", "image/gif",
            "gz", "application/gzip",
            "htm", "text/html",
            "html", "text/html",
            "ico", "image/x-icon",
            "jar", "application/java-archive",
            "jpeg", "image/jpeg",
            "jpg", "image/jpeg",
            "js", "text/javascript",
            "json", "application/json",
            "map", "application/json",
            "md", "text/markdown",
            "mjs", "text/javascript",
            "mp3", "audio/mpeg",
            "mp4", "video/mp4",
            "ogg", "audio/ogg",
            "otf", "font/otf",
            "pdf", "application/pdf",
            "png", "image/png",
            "svg", "image/svg+xml",
            "ttf", "font/ttf",
            "txt", "text/plain",
            "wasm", "application/wasm",
            "wav", "audio/wav",
            "webm", "video/webm",
            "webmanifest", "application/manifest+json",
            "webp", "image/webp",
            "woff", "font/woff",
            "woff2", "font/woff2",
            "xhtml", "application/xhtml+xml",
            "xml", "application/xml",
            "zip", "application/zip",
        };

        private final Map<String, String> byExtension = new HashMap<>();

        /**
         * The well-known types, and these by extension in lower case.
         *
         * @param charset the charset parameter of well-known text types; null for none
         */
        MimeTypes(Map<String, String> more, @Nullable Charset charset) {
            for (int i = 0; i < WELL_KNOWN.length; i += 2) {
                String type = WELL_KNOWN[i + 1];
                byExtension.put(
                        WELL_KNOWN[i],
                        charset != null && type.startsWith("text/")
                                ? type + ";charset=" + charset.name().toLowerCase(Locale.ROOT)
                                : type);
            }
            byExtension.putAll(more);
        }

        String of(String name) {
            String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
            return byExtension.getOrDefault(extension, UNKNOWN);
        }
    }
}
