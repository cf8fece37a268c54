package io.millrace.exchange;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pieces that are sent in one write, and what is told when they are. */
final class Batch implements Completion {

    /** How a write and the call that began it relate in time. Guarded by the pump. */
    enum Progress {
        /** The call has not returned, the write has not ended. */
        STARTING,
        /** The call has returned; the write goes on without its thread. */
        PENDING,
        /** The write has ended before the call returned. */
        ENDED
    }

    final boolean last;
    final int weight;
    Progress progress = Progress.STARTING;

    private final OutputPump pump;
    private final List<Piece> pieces;

    Batch(OutputPump pump, @Nullable List<Piece> pieces, boolean last) {
        this.pump = pump;
        this.pieces = pieces == null ? List.of() : pieces;
        this.last = last;
        int sum = 0;
        for (int i = 0; i < this.pieces.size(); i++) {
            sum += this.pieces.get(i).weight();
        }
        weight = sum;
    }

    Payload payload() {
        if (pieces.isEmpty()) {
            return Payload.NOTHING;
        }
        if (pieces.get(0) instanceof Piece.File file) {
            return file.region();
        }
        ByteBuffer[] buffers = new ByteBuffer[pieces.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ((Piece.Copied) pieces.get(i)).chunk().bytes();
        }
        return new Payload.Bytes(buffers);
    }

    /** On the thread that finished the write. */
    @Override
    public void done(@Nullable Throwable failure) {
        try {
            tell(pieces, failure);
        } finally {
            pump.sent(this, failure);
        }
    }

    /** All of them, whatever one throws: those who wait for others get their memory back. */
    static void tell(List<Piece> pieces, @Nullable Throwable failure) {
        int told = 0;
        try {
            while (told < pieces.size()) {
                pieces.get(told++).done(failure);
            }
        } finally {
            if (told < pieces.size()) {
                tell(pieces.subList(told, pieces.size()), failure);
            }
        }
    }
}
