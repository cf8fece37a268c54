package io.millrace.handler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a {@link FileHandler}. */
public final class FileHandlerBuilder {

    private final Path directory;
    private final Map<String, String> types = new HashMap<>();
    private @Nullable String indexFile = "index.html";
    private boolean followLinks;

    FileHandlerBuilder(Path directory) {
        this.directory = directory;
    }

    /** The file that answers for its directory, {@code index.html} otherwise; null: directories are not answered for. */
    public FileHandlerBuilder indexFile(@Nullable String name) {
        indexFile = name;
        return this;
    }

    /** The {@code Content-Type} of files with this extension, for one {@code md}, besides the well-known ones. */
    public FileHandlerBuilder contentType(String extension, String type) {
        types.put(extension.toLowerCase(Locale.ROOT), type);
        return this;
    }

    /** Whether symbolic links may lead out of the directory; false otherwise. */
    public FileHandlerBuilder followLinks(boolean value) {
        followLinks = value;
        return this;
    }

    /**
     * The handler described.
     *
     * @throws IOException if there is no such directory
     */
    public FileHandler build() throws IOException {
        return new FileHandler(new FileTree(directory, followLinks), new MimeTypes(types), indexFile);
    }
}
