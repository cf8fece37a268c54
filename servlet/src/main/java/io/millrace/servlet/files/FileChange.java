package io.millrace.servlet.files;

import io.millrace.files.Preconditions;
import io.millrace.files.StaticFiles;
import io.millrace.files.Validators;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * PUT and DELETE (RFC 9110, 9.3.4 and 9.3.5) in the document base. A file is written to a temporary file, which then replaces it,
 * so that concurrent readers get the complete old file.
 */
final class FileChange {

    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    private static final int COPY = 32 * 1024;

    private final ResourceTree resources;
    private final StaticFiles files;
    private final ServletContext context;
    private final boolean partial;

    FileChange(ResourceTree resources, StaticFiles files, ServletContext context, boolean partial) {
        this.resources = resources;
        this.files = files;
        this.context = context;
        this.partial = partial;
    }

    /** Stores the request's body; returns the status. */
    int put(String path, HttpServletRequest request) throws IOException {
        String range = request.getHeader("Content-Range");
        Matcher matcher = range == null ? null : CONTENT_RANGE.matcher(range);
        if (matcher != null && (!partial || !matcher.matches() || !isRange(matcher))) {
            return 400;
        }
        Resource before = resources.find(path);
        Path place = resources.place(path);
        if (place == null || Files.isDirectory(place)) {
            return 409;
        }
        if (!mayChange(before, request)) {
            return 412;
        }
        long from = matcher == null ? 0 : Long.parseLong(matcher.group(1));
        Path written = write(request.getInputStream(), matcher == null ? null : place, from);
        try {
            move(written, place);
        } finally {
            Files.deleteIfExists(written);
        }
        files.forget(path);
        return before == null ? 201 : 204;
    }

    int delete(String path, HttpServletRequest request) throws IOException {
        Resource before = resources.find(path);
        if (before == null) {
            return 404;
        }
        if (!mayChange(before, request)) {
            return 412;
        }
        Path place = resources.place(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
        try {
            files.forget(path);
            return place != null && Files.deleteIfExists(place) ? 204 : 405;
        } catch (IOException notEmpty) {
            return 405;
        }
    }

    /** True if the request's conditions are met. */
    boolean mayChange(@Nullable Resource before, HttpServletRequest request) {
        Validators current = before == null ? null : files.validators(before);
        return Preconditions.evaluate(request.getMethod(), FileRequestHeaders.of(request), current)
                == Preconditions.Outcome.PASSED;
    }

    private static boolean isRange(Matcher matcher) {
        long first = Long.parseLong(matcher.group(1));
        long last = Long.parseLong(matcher.group(2));
        return first <= last && last < Long.parseLong(matcher.group(3));
    }

    /** Writes a temporary file: the body, or a copy of a file with the body written at an offset. */
    private Path write(InputStream body, @Nullable Path over, long from) throws IOException {
        File directory = (File) context.getAttribute(ServletContext.TEMPDIR);
        Path written = Files.createTempFile(directory.toPath(), "put", null);
        boolean done = false;
        try (FileChannel file = FileChannel.open(written, StandardOpenOption.WRITE)) {
            if (over != null && Files.exists(over)) {
                try (FileChannel old = FileChannel.open(over, StandardOpenOption.READ)) {
                    long size = old.size();
                    for (long at = 0; at < size; ) {
                        at += old.transferTo(at, size - at, file);
                    }
                }
            }
            copy(body, file.position(from));
            done = true;
        } finally {
            if (!done) {
                Files.deleteIfExists(written);
            }
        }
        return written;
    }

    private static void copy(InputStream body, FileChannel file) throws IOException {
        var in = Channels.newChannel(body);
        ByteBuffer buffer = ByteBuffer.allocate(COPY);
        while (in.read(buffer.clear()) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        }
    }

    private static void move(Path written, Path place) throws IOException {
        try {
            Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
