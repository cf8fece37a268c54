package io.millrace.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What a file system says of a file's content without reading it.
 *
 * @param size bytes
 * @param modified as precise as the file system has it
 * @param key which file it is, whatever its name; null where the file system doesn't know
 */
public record FileStamp(
        long size, FileTime modified, @Nullable Object key) {

    /** Of attributes just read. */
    public static FileStamp of(BasicFileAttributes attributes) {
        return new FileStamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    }

    /** As it is now; null if there is no such file. A symbolic link is not followed. */
    static @Nullable FileStamp of(Path file) {
        try {
            return of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException gone) {
            return null;
        }
    }
}
