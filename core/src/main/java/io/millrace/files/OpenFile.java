package io.millrace.files;

import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
    private final boolean mayStall;

    /** When a response last began with it; {@link System#nanoTime}. */
    private volatile long usedAt = System.nanoTime();

    private OpenFile(Path path, FileStamp stamp, FileChannel channel, boolean mayStall) {
        this.path = path;
        this.stamp = stamp;
        this.channel = channel;
        this.mayStall = mayStall;
    }

    /** Opens it; null if it is not, or not any more, as it was looked up. */
    static @Nullable OpenFile open(Path path, FileStamp stamp) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        OpenFile opened = null;
        try {
            if (stamp.equals(FileStamp.of(path)) && channel.size() == stamp.size()) {
                opened = new OpenFile(path, stamp, channel, !FileStores.isLocal(path));
            }
            return opened;
        } finally {
            if (opened == null) {
                channel.close();
            }
        }
    }

    /** True if its file system may keep whoever asks it for anything waiting: that must not be a connection's thread. */
    boolean mayStall() {
        return mayStall;
    }

    /** A response begins with it. */
    void used() {
        usedAt = System.nanoTime();
    }

    long usedAt() {
        return usedAt;
    }

    /**
     * Reads until the buffer is full. On a thread that may block.
     *
     * @throws IOException if there is less than that
     */
    void read(ByteBuffer into, long from) throws IOException {
        for (long at = from; into.hasRemaining(); ) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new EOFException(
                        path + " was truncated while it was being sent; the response cannot be completed");
            }
            at += read;
        }
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
            throw new IOException(path + " was changed while it was being sent; the response cannot be completed");
        }
    }

    @Override
    boolean mayChange() {
        return true;
    }

    @Override
    @Nullable
    OpenFile stalling() {
        return mayStall ? this : null;
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
