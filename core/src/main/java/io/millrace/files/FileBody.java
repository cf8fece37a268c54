package io.millrace.files;

import io.millrace.exchange.BodySink;
import io.millrace.exchange.HttpExchange;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A response body of several pieces, each of which is sent when the previous one has been sent; to the writer it is a
 * single write. If the file may change meanwhile, its last bytes are held back until it is certain that it has not, so
 * that a client that receives the announced length has received the right bytes. Other bytes written to the response are
 * discarded.
 *
 * <p>A file on a file system that may stall is read, checked and closed by workers, one buffer at a time; the
 * connection's thread, which completes each write, requests the next buffer.
 */
public final class FileBody implements BodySink, Completion {

    /** The maximum number of bytes that are held back. */
    private static final long TAIL = 16 * 1024;

    /** The buffer size for files that workers read. */
    private static final int BUFFER_BYTES = 64 * 1024;

    private final HttpExchange exchange;
    private final BodySink next;
    private final Content content;
    private final List<FileReply.Piece> pieces;
    private final boolean isWhole;
    private final AtomicBoolean taken = new AtomicBoolean();
    private int sent;

    /** The number of bytes of the current piece that workers have read, and their buffer. */
    private long read;

    private @Nullable ByteBuffer buffer;
    private boolean cancelled;
    private Completion whole = Completion.IGNORE;

    /** The body owns the content, and releases it when it has been sent or {@linkplain #abandon abandoned}. */
    FileBody(HttpExchange exchange, BodySink next, FileReply reply, Content content) {
        this.exchange = exchange;
        this.next = next;
        this.content = content;
        isWhole = reply.isWhole();
        pieces = content.mayChange() ? withTail(reply.pieces()) : reply.pieces();
    }

    /** The pieces with the last one split in two, if it is a part of the file. */
    private static List<FileReply.Piece> withTail(List<FileReply.Piece> pieces) {
        if (!(pieces.get(pieces.size() - 1) instanceof FileReply.Piece.OfFile last)
                || last.range().length() < 2) {
            return pieces;
        }
        ByteRange range = last.range();
        long tail = Math.min(TAIL, range.length() / 2);
        List<FileReply.Piece> split = new ArrayList<>(pieces.subList(0, pieces.size() - 1));
        split.add(new FileReply.Piece.OfFile(new ByteRange(range.from(), range.length() - tail)));
        split.add(new FileReply.Piece.OfFile(new ByteRange(range.end() - tail, tail)));
        return split;
    }

    /**
     * Passes further writes on, because the response gets another body after all. Must be called before anything has
     * been sent.
     */
    public void cancel() {
        cancelled = true;
    }

    /** Sends the entire body at the end of the response. */
    @Override
    public void write(Payload piece, boolean last, Completion completion) {
        if (cancelled) {
            next.write(piece, last, completion);
        } else if (last && taken.compareAndSet(false, true)) {
            whole = completion;
            sendNext();
        } else {
            completion.done(null);
        }
    }

    /** Releases the content if sending has not begun. Called by any thread, possibly more than once. */
    void abandon() {
        if (taken.compareAndSet(false, true)) {
            release();
        }
    }

    private void release() {
        if (content.stalling() == null) {
            content.release();
            return;
        }
        try {
            exchange.channel().workers().execute(content::release);
        } catch (RejectedExecutionException busy) {
            content.release();
        }
    }

    @Override
    public void done(@Nullable Throwable failure) {
        if (failure != null || sent == pieces.size()) {
            end(failure);
        } else {
            sendNext();
        }
    }

    private void sendNext() {
        OpenFile stalling = content.stalling();
        if (stalling == null) {
            sendPiece();
            return;
        }
        try {
            exchange.channel().workers().execute(() -> readNext(stalling));
        } catch (RuntimeException | Error notStarted) {
            end(notStarted);
        }
    }

    private void sendPiece() {
        FileReply.Piece piece = pieces.get(sent);
        sent++;
        boolean last = sent == pieces.size();
        if (last) {
            try {
                content.check();
            } catch (IOException changed) {
                end(changed);
                return;
            }
        }
        write(payload(piece), last);
    }

    /** Clears the interrupt status: on an interrupted thread, a transfer would close the file for all its readers. */
    private void write(Payload payload, boolean last) {
        boolean interrupted = Thread.interrupted();
        try {
            next.write(payload, last, this);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readNext(OpenFile file) {
        Payload payload;
        try {
            payload = pieces.get(sent) instanceof FileReply.Piece.OfFile part ? read(file, part.range()) : text();
            if (sent == pieces.size()) {
                content.check();
            }
        } catch (IOException | RuntimeException | Error unreadable) {
            end(unreadable);
            return;
        }
        next.write(payload, sent == pieces.size(), this);
    }

    private Payload read(OpenFile file, ByteRange range) throws IOException {
        ByteBuffer into = buffer;
        if (into == null) {
            into = ByteBuffer.allocate(BUFFER_BYTES);
            buffer = into;
        }
        long left = range.length() - read;
        into.clear().limit((int) Math.min(left, into.capacity()));
        file.read(into, range.from() + read);
        into.flip();
        read += into.remaining();
        if (read == range.length()) {
            read = 0;
            sent++;
        }
        return Payload.of(into);
    }

    private Payload text() {
        return payload(pieces.get(sent++));
    }

    private void end(@Nullable Throwable failure) {
        release();
        whole.done(failure);
    }

    private Payload payload(FileReply.Piece piece) {
        if (piece instanceof FileReply.Piece.OfFile part) {
            return isWhole ? content.whole(exchange, part.range()) : content.payload(part.range());
        }
        return Payload.of(ByteBuffer.wrap(((FileReply.Piece.Text) piece).bytes()));
    }
}
