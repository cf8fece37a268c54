package io.millrace.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of a file as reported by the file system, without reading the content.
 *
 * @param size in bytes
 * @param modified with the file system's precision
 * @param key identifies the file independently of its name; null if the file system does not provide it
 */
public record FileStamp(
        long size, FileTime modified, @Nullable Object key) {

    /** The state from attributes that were just read. */
    public static FileStamp of(BasicFileAttributes attributes) {
        return new FileStamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    }

    /** The current state; null if there is no such file. Symbolic links are not followed. */
    static @Nullable FileStamp of(Path file) {
        try {
            return of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException gone) {
            return null;
        }
    }
}
