package io.millrace.servlet.form;

import io.millrace.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;

/** The Part of a multipart request. */
final class UploadPart implements Part {

    private final String name;
    private final @Nullable String fileName;
    private final Headers headers;
    private final PartContent content;
    private final Path location;

    UploadPart(String name, @Nullable String fileName, Headers headers, PartContent content, Path location) {
        this.name = name;
        this.fileName = fileName;
        this.headers = headers;
        this.content = content;
        this.location = location;
    }

    PartContent content() {
        return content;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return content.open();
    }

    @Override
    public @Nullable String getContentType() {
        return headers.get("Content-Type");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return fileName;
    }

    @Override
    public long getSize() {
        return content.size();
    }

    /** Writes to a file. An absolute path is not restricted, as the application chooses it. */
    @Override
    public void write(String target) throws IOException {
        Files.createDirectories(location);
        content.moveTo(location.resolve(target));
    }

    @Override
    public void delete() throws IOException {
        content.delete();
    }

    @Override
    public @Nullable String getHeader(String header) {
        return headers.get(header);
    }

    @Override
    public Collection<String> getHeaders(String header) {
        return new ArrayList<>(headers.all(header)); // the caller may modify it
    }

    @Override
    public Collection<String> getHeaderNames() {
        return new ArrayList<>(headers.names());
    }
}
