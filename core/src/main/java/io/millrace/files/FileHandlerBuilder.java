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

/** Describes a {@link FileHandler}. */
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

    /** The files that answer for their directory, the first that exists; {@code index.html} otherwise, none if empty. */
    public FileHandlerBuilder indexFiles(String... names) {
        indexFiles = List.of(names);
        return this;
    }

    /** The {@code Content-Type} of files with this extension, for one {@code md}, besides the well-known ones. */
    public FileHandlerBuilder contentType(String extension, String type) {
        types.put(extension.toLowerCase(Locale.ROOT), type);
        return this;
    }

    /** What {@code text/*} is said to be encoded in; nothing is said otherwise. */
    public FileHandlerBuilder charset(Charset value) {
        charset = Objects.requireNonNull(value);
        return this;
    }

    /** Where symbolic links may lead; {@link SymbolicLinks#INSIDE} otherwise. */
    public FileHandlerBuilder symbolicLinks(SymbolicLinks value) {
        links = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Which compressed siblings are sent instead of a file to clients that take them, the best first: {@code
     * page.html.br} for {@code page.html}. {@link Precompressed#USUAL} otherwise.
     */
    public FileHandlerBuilder precompressed(Precompressed... kinds) {
        precompressed = List.of(kinds);
        return this;
    }

    /** Whether clients may ask for pieces; true otherwise. */
    public FileHandlerBuilder ranges(boolean value) {
        ranges = value;
        return this;
    }

    /** Whether a directory without an index file is listed; false otherwise: it is not found. */
    public FileHandlerBuilder listings(boolean value) {
        listings = value;
        return this;
    }

    /** What is kept in memory; {@link CacheLimits#DEFAULTS} otherwise. */
    public FileHandlerBuilder cache(CacheLimits value) {
        cache = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The handler described.
     *
     * @throws IOException if there is no such directory
     */
    public FileHandler build() throws IOException {
        FileTree tree = new FileTree(directory, links);
        MimeTypes known = new MimeTypes(types, charset);
        FileRules rules = new FileRules(known::of, precompressed, ranges, true);
        return new FileHandler(tree, new StaticFiles(tree, rules, cache), indexFiles, listings);
    }
}
