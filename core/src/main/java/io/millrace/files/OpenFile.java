package io.millrace.files;

import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open, for the kernel to send. Whoever changes it in its place changes what is being sent: that is found
 * out before the last bytes go. Whoever puts another in its place, or deletes it, does no harm: the open one is sent whole.
 */
final class OpenFile extends Content {

    private static final Logger LOG = Logger.getLogger(OpenFile.class);

    private final Path path;
    private final FileStamp stamp;
    private final FileChannel channel;

    private OpenFile(Path path, FileStamp stamp, FileChannel channel) {
        this.path = path;
        this.stamp = stamp;
        this.channel = channel;
    }

    /** Opens it; null if it is not, or not any more, as it was looked up. */
    static @Nullable OpenFile open(Path path, FileStamp stamp) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        if (stamp.equals(FileStamp.of(path)) && channel.size() == stamp.size()) {
            return new OpenFile(path, stamp, channel);
        }
        channel.close();
        return null;
    }

    @Override
    Payload payload(ByteRange range) {
        return new Payload.FileRegion(channel, range.from(), range.length());
    }

    @Override
    void check() throws IOException {
        FileStamp now = FileStamp.of(path);
        boolean same = stamp.equals(now);
        boolean another = now == null || stamp.key() != null && !stamp.key().equals(now.key());
        if (!same && !(another && channel.size() == stamp.size())) {
            throw new IOException(path + " was changed while it was being sent; the response can't be completed");
        }
    }

    @Override
    boolean mayChange() {
        return true;
    }

    /**
     * False if it was changed or replaced, or somebody was interrupted while he read it, which closes it for all. To be asked
     * before a transfer: what was changed before it began would end it early.
     */
    boolean isCurrent() {
        return channel.isOpen() && stamp.equals(FileStamp.of(path));
    }

    @Override
    void free() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Can't close a file", e);
        }
    }
}
