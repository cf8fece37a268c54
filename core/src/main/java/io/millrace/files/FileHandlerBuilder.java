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
        return new FileHandler(tree, new StaticFiles(tree, rules, cache), indexFiles, listings);
    }
}
