package io.millrace.testkit;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine that protocols of many streams share, over a script, with the plainest of such protocols. */
final class MuxConnectionTest {

    private static final Settings OPTIONS = Settings.DEFAULTS
            .with(MuxOptions.INITIAL_WINDOW_SIZE, 1000)
            .with(MuxOptions.STREAM_WINDOW_SIZE, 4000)
            .with(MuxOptions.CONNECTION_WINDOW_SIZE, 70_000);

    private MuxScript mux = new MuxScript(OPTIONS);

    @AfterEach
    void close() {
        mux.close();
    }

    private void begin(Settings options) {
        mux.close();
        mux = new MuxScript(options);
    }

    // ---- responses

    @Test
    void answersInOneWriteWithTheEndOnTheLastFrame() {
        mux.get(1, "/");
        int before = mux.connection.writes();

        assertTrue(mux.answer(1, 5).isDone());

        assertEquals(List.of("H 1 200 5", "D 1 5 end"), mux.sent());
        assertEquals(before + 1, mux.connection.writes());
        mux.stream(1).end();
        assertEquals(List.of(), mux.sent());
    }

    @Test
    void endsAResponseWithoutABodyWithItsHead() {
        mux.get(1, "/");

        mux.answer(1, 0);

        assertEquals(List.of("H 1 200 0 end"), mux.sent());
        mux.stream(1).end();
    }

    @Test
    void sendsNoBodyAfterHeadAndBodilessStatuses() {
        mux.receive('H', true, 1, MuxScript.text("HEAD /")).get(3, "/").get(5, "/");

        mux.answer(1, 7);
        mux.send(3, new ResponseHead().status(304), 7, true);
        mux.send(5, new ResponseHead().status(204), 0, false);
        mux.send(5, null, 3, true);

        assertEquals(List.of("H 1 200 7 end", "H 3 304 end", "H 5 204 end"), mux.sent());
        List.of(1, 3, 5).forEach(id -> mux.stream(id).end());
    }

    @Test
    void endsWithTrailersAndWithoutAnEmptyFrameBeforeThem() {
        mux.get(1, "/").get(3, "/").get(5, "/");
        Headers trailers = new Headers().add("grpc-status", "0");

        mux.send(1, new ResponseHead().trailers(trailers), 5, true);
        mux.send(3, new ResponseHead().trailers(trailers), 0, true);
        mux.send(5, new ResponseHead().trailers(new Headers().add("Content-Length", "5")), 5, true);

        assertEquals(
                List.of(
                        "H 1 200",
                        "D 1 5",
                        "T 1 grpc-status=0 end",
                        "H 3 200",
                        "T 3 grpc-status=0 end",
                        "H 5 200",
                        "D 5 5 end"),
                mux.sent());
    }

    @Test
    void resetsAStreamWhoseResponseIsShorterThanAnnounced() {
        mux.get(1, "/");

        MuxScript.Sent sent = mux.send(1, new ResponseHead().contentLength(10), 4, true);

        assertEquals(List.of("R 1 INTERNAL"), mux.sent());
        assertNotNull(sent.failure);
        mux.stream(1).abort(sent.failure);
    }

    @Test
    void refusesToSendMoreThanWasAnnounced() {
        mux.get(1, "/");

        assertThrows(
                IllegalStateException.class,
                () -> mux.stream(1)
                        .send(
                                new ResponseHead().contentLength(1),
                                Payload.of(ByteBuffer.allocate(2)),
                                true,
                                Completion.IGNORE));

        mux.stream(1).abort(null);
        assertEquals(List.of("R 1 CANCEL"), mux.sent());
    }

    @Test
    void replacesAHeadThatIsTooLarge() {
        mux.get(1, "/");
        ResponseHead head = new ResponseHead();
        head.headers().add("Large", "x".repeat(9000));

        mux.send(1, head, 5, true);

        assertEquals(List.of("H 1 500 0 end"), mux.sent());
        assertEquals(500, head.status());
    }

    @Test
    void sendsInterimResponsesBeforeTheFinalOne() {
        mux.get(1, "/");

        mux.stream(1).inform(103, new Headers(), Completion.IGNORE);
        mux.answer(1, 0);

        assertEquals(List.of("I 1 103", "H 1 200 0 end"), mux.sent());
    }

    @Test
    void sendsAFileInParts(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[60_000]);
        mux.get(1, "/");
        MuxScript.Sent sent = new MuxScript.Sent();
        try (FileChannel channel = FileChannel.open(file)) {
            mux.connection.run(() ->
                    mux.stream(1).send(new ResponseHead(), new Payload.FileRegion(channel, 0, 60_000), true, sent));
            Deadline.await("the whole file", () -> sent.count == 1);
        }

        List<String> frames = mux.sent();
        assertEquals("H 1 200 60000", frames.get(0));
        assertEquals(60_000, bytes(frames, 1));
        assertTrue(frames.get(frames.size() - 1).endsWith(" end"));
        assertTrue(sent.isDone());
    }

    // ---- windows

    @Test
    void sendsNoMoreThanTheWindowsAllow() {
        mux.get(1, "/").get(3, "/");

        MuxScript.Sent first = mux.answer(1, 70_000);
        assertEquals(65_535, bytes(mux.sent(), 1));
        mux.answer(3, 5);
        assertEquals(List.of("H 3 200 5"), mux.sent());

        mux.credit(0, 1000);
        assertEquals(List.of("D 3 5 end"), mux.sent());
        mux.credit(1, 10_000);
        assertEquals(995, bytes(mux.sent(), 1));
        assertEquals(0, first.count);
        mux.credit(0, 100_000);
        assertEquals(70_000 - 65_535 - 995, bytes(mux.sent(), 1));
        assertTrue(first.isDone());
    }

    @Test
    void aBlockedStreamBlocksNoOther() {
        mux.credit(0, 1_000_000).get(1, "/").get(3, "/");
        mux.answer(1, 100_000);
        mux.sent();

        MuxScript.Sent other = mux.answer(3, 60_000);

        assertTrue(other.isDone());
        assertEquals(60_000, bytes(mux.sent(), 3));
    }

    @Test
    void settingsShiftOpenStreamsEvenBelowZeroAndWakeThem() {
        mux.credit(0, 1_000_000).get(1, "/");
        mux.answer(1, 70_000);
        mux.sent();

        mux.receive('S', false, 0, PlainFrames.number(100));
        assertEquals(List.of("A 0 "), mux.sent());
        mux.credit(1, 65_000);
        assertEquals(List.of(), mux.sent());
        mux.receive('S', false, 0, PlainFrames.number(1000));
        assertEquals(List.of("D 1 465", "A 0 "), sorted(mux.sent()));
        mux.receive('S', false, 0, PlainFrames.number(65_535));
        assertEquals(4000, bytes(mux.sent(), 1));
    }

    @Test
    void resetsAStreamWhoseWindowOverflows() {
        mux.get(1, "/");
        AtomicReference<@Nullable Throwable> closed = new AtomicReference<>();
        mux.stream(1).onClosed(closed::set);

        mux.credit(1, Integer.MAX_VALUE);

        assertEquals(List.of("R 1 FLOW_CONTROL"), mux.sent());
        assertNotNull(closed.get());
        assertFalse(mux.connection.isClosed());
    }

    @Test
    void endsAConnectionWhoseWindowOverflowsOrIsOpenedByNothing() {
        mux.credit(0, Integer.MAX_VALUE);
        assertEquals(List.of("G 0 FLOW_CONTROL"), mux.sent());
        assertTrue(mux.connection.isFinished());

        begin(OPTIONS);
        mux.credit(0, 0);
        assertEquals(List.of("G 0 PROTOCOL"), mux.sent());
    }

    // ---- bodies

    @Test
    void grantsTheConnectionsWindowOnReceiptAndAStreamsWhenItIsRead() throws IOException {
        mux.post(1, "/");
        for (int i = 0; i < 35; i++) {
            mux.data(1, 1000, false);
        }
        assertEquals(List.of("W 0 35000"), mux.sent());

        int read = drainInput(mux.stream(1));

        assertEquals(35_000, read);
        assertFalse(mux.sent().isEmpty());
    }

    @Test
    void grantsNothingBeyondTheEndOfABodyOfKnownLength() throws IOException {
        begin(OPTIONS.with(MuxOptions.INITIAL_WINDOW_SIZE, 3000));
        mux.post(1, "/ length=3000").data(1, 1000, false);

        drainInput(mux.stream(1));
        mux.data(1, 2000, true);
        drainInput(mux.stream(1));

        assertEquals(List.of(), mux.sent());
        assertEquals(Chunk.END, mux.stream(1).read());
    }

    /** Some peers send even the empty frame that ends a body only if the window is open. */
    @Test
    void opensTheWindowForTheEndOfABodyThatHasFilledIt() throws IOException {
        begin(OPTIONS.with(MuxOptions.INITIAL_WINDOW_SIZE, 3000));
        mux.post(1, "/ length=3000").data(1, 3000, false);
        drainInput(mux.stream(1));
        List<String> sent = mux.sent();
        assertTrue(sent.stream().anyMatch(each -> each.startsWith("W 1 ")), sent.toString());
    }

    @Test
    void resetsAStreamThatSendsMoreThanItsWindow() {
        mux.post(1, "/");
        for (int i = 0; i < 66; i++) {
            mux.data(1, 1000, false);
        }

        assertTrue(mux.sent().contains("R 1 FLOW_CONTROL"));
        assertThrows(IOException.class, () -> mux.stream(1).read());
    }

    @Test
    void countsTheDataOfStreamsThatNobodyReadsAny() {
        mux.post(1, "/");
        mux.stream(1).abort(null);
        mux.sent();

        for (int i = 0; i < 70; i++) {
            mux.data(1, 1000, false);
        }

        assertEquals(List.of("W 0 35000", "W 0 35000"), mux.sent());
    }

    @Test
    void wakesAReaderOncePerRead() throws IOException {
        mux.post(1, "/");
        AtomicInteger woken = new AtomicInteger();
        assertNull(mux.stream(1).read());
        mux.stream(1).awaitReadable(woken::incrementAndGet);

        mux.connection.receive(
                concat(PlainFrames.frame('D', false, 1, new byte[10]), PlainFrames.frame('D', false, 1, new byte[10])));

        assertEquals(1, woken.get());
        assertEquals(20, drainInput(mux.stream(1)));
    }

    @Test
    void refusesABodyThatIsNotAsLongAsAnnounced() {
        mux.post(1, "/ length=5").post(3, "/ length=5");

        mux.data(1, 6, false).data(3, 4, true);

        assertEquals(List.of("R 1 PROTOCOL", "R 3 PROTOCOL"), mux.sent());
    }

    /** The client must not believe that its request was taken, whoever comes first. */
    @Test
    void refusesABodyThatIsNotAsLongAsAnnouncedAlsoAfterTheResponse() {
        for (int id = 1; id < 7; id += 2) {
            mux.post(id, "/ length=5");
            mux.answer(id, 0);
            mux.stream(id).end();
        }
        assertEquals(List.of("H 1 200 0 end", "H 3 200 0 end", "H 5 200 0 end"), mux.sent());

        mux.data(1, 4, true).data(3, 6, true);
        mux.data(5, 4, false).receive('H', true, 5, MuxScript.text("checksum"));

        assertEquals(List.of("R 1 PROTOCOL", "R 3 PROTOCOL", "R 5 PROTOCOL"), mux.sent());
    }

    @Test
    void asksForABodyThatIsHeldBack() throws IOException {
        mux.post(1, "/ expect length=5");

        assertNull(mux.stream(1).read());

        assertEquals(List.of("I 1 100"), mux.sent());
    }

    @Test
    void givesTrailersAfterTheBody() throws IOException {
        mux.post(1, "/").data(1, 5, false).receive('H', true, 1, MuxScript.text("checksum"));

        assertEquals(5, drainInput(mux.stream(1)));

        assertEquals(Chunk.END, mux.stream(1).read());
        Headers trailers = mux.stream(1).trailers();
        assertNotNull(trailers);
        assertEquals("checksum", trailers.get("trailer"));
    }

    // ---- ids and states

    @Test
    void knowsWhatMayStillComeForStreamsThatHaveEnded() {
        mux.get(1, "/");
        mux.answer(1, 0);
        mux.stream(1).end();
        mux.get(3, "/").receive('R', false, 3);
        mux.stream(3).abort(null);
        mux.sent();

        mux.data(3, 1, false);
        assertEquals(List.of("R 3 STREAM_CLOSED"), mux.sent());
        mux.data(1, 1, false);
        assertEquals(List.of("G 3 STREAM_CLOSED"), mux.sent());
    }

    @Test
    void refusesWhatComesForStreamsThatWereNeverOpened() {
        for (byte[] frame : List.of(
                PlainFrames.frame('D', false, 1, new byte[1]),
                PlainFrames.frame('R', false, 1),
                PlainFrames.frame('W', false, 1, PlainFrames.number(1)),
                PlainFrames.frame('H', true, 2, MuxScript.text("GET /")))) {
            begin(OPTIONS);
            mux.connection.receive(frame);
            assertEquals(List.of("G 0 PROTOCOL"), mux.sent());
        }
    }

    @Test
    void refusesAStreamThatWasPassedOver() {
        mux.get(5, "/");

        mux.get(3, "/");

        assertEquals(List.of("G 5 PROTOCOL"), mux.sent());
    }

    @Test
    void resetsAStreamThatSendsAfterItsEnd() {
        mux.get(1, "/").data(1, 1, false);

        assertEquals(List.of("R 1 STREAM_CLOSED"), mux.sent());
        mux.stream(1).abort(null);
    }

    @Test
    void refusesMoreExchangesThanMayRun() {
        begin(OPTIONS.with(MuxOptions.MAX_CONCURRENT_STREAMS, 2));
        mux.get(1, "/").get(3, "/");

        mux.get(5, "/");
        assertEquals(List.of("R 5 REFUSED"), mux.sent());
        mux.receive('R', false, 1).get(7, "/");
        assertEquals(List.of("R 7 REFUSED"), mux.sent()); // the first is reset, and its handler still runs
        mux.stream(1).abort(null);
        mux.get(9, "/");
        assertEquals(List.of(), mux.sent());
    }

    /** For the peer a stream has ended with its last frame, and it may open the next one at once. */
    @Test
    void acceptsARequestAsSoonAsTheResponseToTheLastIsSent() {
        begin(OPTIONS.with(MuxOptions.MAX_CONCURRENT_STREAMS, 1));
        mux.get(1, "/");
        mux.answer(1, 0);
        mux.get(3, "/");
        assertEquals(List.of("H 1 200 0 end"), mux.sent());

        mux.answer(3, 0);
        mux.sent();
        mux.get(5, "/");
        assertEquals(List.of("R 5 REFUSED"), mux.sent(), "two exchanges have not returned");
        mux.stream(1).end();
        mux.get(7, "/");
        assertEquals(List.of(), mux.sent());
    }

    @Test
    void answersARefusedRequestAndGoesOn() {
        mux.receive('B', true, 1);

        List<String> sent = mux.sent();
        assertEquals(2, sent.size());
        assertTrue(sent.get(0).startsWith("H 1 400 "));
        assertEquals(List.of(400), mux.refused);
        mux.connection.receive(PlainFrames.frame('F', false, 3));
        assertEquals(List.of("R 3 PROTOCOL"), mux.sent());
    }

    // ---- ends of streams

    @Test
    void tellsEverybodyThatThePeerHasResetAStream() {
        mux.post(1, "/");
        AtomicReference<@Nullable Throwable> closed = new AtomicReference<>();
        AtomicInteger woken = new AtomicInteger();
        mux.stream(1).onClosed(closed::set);
        mux.stream(1).awaitReadable(woken::incrementAndGet);
        MuxScript.Sent pending = mux.answer(1, 100_000);
        mux.sent();

        mux.receive('R', false, 1);

        assertEquals(1, woken.get());
        assertEquals(1, pending.count);
        assertEquals(
                ResetReason.CANCEL,
                assertInstanceOf(StreamResetException.class, pending.failure).reason());
        assertInstanceOf(StreamResetException.class, closed.get());
        assertThrows(IOException.class, () -> mux.stream(1).read());
        MuxScript.Sent after = new MuxScript.Sent();
        mux.stream(1).send(null, Payload.NOTHING, true, after);
        assertNotNull(after.failure);
        mux.stream(1).abort(closed.get());
        assertEquals(List.of(), mux.sent());
    }

    @Test
    void resetsAStreamWithWhatItsExchangeFailedBy() {
        mux.get(1, "/").get(3, "/").get(5, "/");

        mux.stream(1).abort(null);
        mux.stream(3).abort(new IllegalStateException());
        mux.stream(5).abort(new StreamResetException(ResetReason.REFUSED, "test"));
        mux.stream(5).abort(null);

        assertEquals(List.of("R 1 CANCEL", "R 3 INTERNAL", "R 5 REFUSED"), mux.sent());
    }

    @Test
    void failsAllWhenTheConnectionBreaks() {
        mux.post(1, "/").get(3, "/");
        List<Throwable> closed = new ArrayList<>();
        mux.stream(1).onClosed(closed::add);
        mux.stream(3).onClosed(closed::add);
        MuxScript.Sent pending = mux.answer(3, 100_000);

        mux.connection.breakOff();

        assertEquals(2, closed.size());
        assertEquals(1, pending.count);
        assertNotNull(pending.failure);
    }

    // ---- what a peer may cost

    @Test
    void slowsDownAndThenEndsAPeerThatResetsWhatItAskedFor() {
        for (int id = 1; !mux.connection.isFinished(); id += 2) {
            mux.get(id, "/").receive('R', false, id);
            HttpStream mine = mux.streams.get(id);
            if (mine != null) {
                mine.abort(null);
            }
            assertTrue(id < 2400, "never ended");
        }

        assertTrue(
                mux.requests.size() >= 200 && mux.requests.size() < 300, mux.requests.size() + " were served at once");
        assertTrue(mux.connection.sent().contains("ENHANCE_YOUR_CALM"));
        assertEquals(1, mux.connection.limits().times(Limit.FLOODS));
    }

    /** A front end whose clients abort must not cost other clients of it their requests. */
    @Test
    void holdsBackTheRequestsOfAPeerThatResetsMuchAndEndsItNot() {
        begin(OPTIONS.with(MuxOptions.MAX_CONCURRENT_STREAMS, 10_000));
        for (int id = 1; id < 2 * 4_000; id += 2) {
            mux.get(id, "/").receive('R', false, id);
            HttpStream mine = mux.streams.get(id);
            if (mine != null) {
                mine.abort(null);
            }
        }
        assertFalse(mux.connection.isFinished());
        long heldBack = mux.connection.limits().times(Limit.RESETS);
        assertTrue(heldBack > 3_000, heldBack + " were held back");
        assertEquals(0, mux.connection.limits().times(Limit.FLOODS));
    }

    @Test
    void endsAPeerThatMakesUsReset() {
        for (int id = 1; !mux.connection.isFinished(); id += 2) {
            mux.get(id, "/").credit(id, Integer.MAX_VALUE);
            HttpStream mine = mux.streams.get(id);
            if (mine != null) {
                mine.abort(null);
            }
            assertTrue(id < 2400, "never ended");
        }
    }

    @Test
    void endsAPeerThatSendsFramesWithoutEffect() {
        for (char kind : "XPUS".toCharArray()) {
            begin(OPTIONS);
            byte[] frame = PlainFrames.frame(kind, false, 1, kind == 'U' ? new byte[2] : PlainFrames.number(1000));
            for (int i = 0; i < 20_000 && !mux.connection.isFinished(); i++) {
                mux.connection.receive(frame);
            }
            assertTrue(mux.connection.isFinished(), "never ended: " + kind);
        }
    }

    @Test
    void stopsReadingFromAPeerThatDoesNotTakeItsAnswers() {
        mux.connection.hold();
        int count = 0;
        while (mux.connection.isAwaiting() && count < 9000) {
            mux.receive('P', false, 0, PlainFrames.number(count));
            count++;
        }
        assertTrue(count > 1000 && count < 1100, count + " were read");

        mux.connection.unhold();

        assertTrue(mux.connection.isAwaiting());
        assertEquals(count, mux.sent().size());
    }

    @Test
    void aBrowserMayCancelInBursts() {
        int id = 1;
        for (int i = 0; i < 200; i++, id += 2) {
            mux.get(id, "/").receive('R', false, id);
            mux.stream(id).abort(null);
        }
        assertFalse(mux.connection.isFinished());
    }

    // ---- the end of the connection

    @Test
    void drainsInTwoSteps() {
        mux.get(1, "/");

        mux.connection.drain();
        List<String> first = mux.sent();
        assertEquals("G 2147483647 NONE", first.get(0));
        mux.get(3, "/");
        assertEquals(2, mux.requests.size());
        mux.receive(
                'Q', false, 0, PlainFrames.number(Integer.parseInt(first.get(1).split(" ", -1)[2])));
        assertEquals(List.of("G 3 NONE"), mux.sent());
        mux.get(5, "/");
        assertEquals(2, mux.requests.size());

        mux.answer(1, 5);
        mux.stream(1).end();
        assertFalse(mux.connection.isFinished());
        mux.answer(3, 5);
        mux.stream(3).end();
        assertTrue(mux.connection.isFinished());
        mux.connection.receiveEnd();
        assertTrue(mux.connection.isClosed());
        assertNull(mux.connection.cause());
    }

    @Test
    void finishesWhatRunsWhenThePeerGoesAway() {
        mux.get(1, "/").receive('G', false, 0);

        mux.answer(1, 5);
        mux.stream(1).end();

        assertEquals(List.of("H 1 200 5", "D 1 5 end", "G 1 NONE"), mux.sent());
        assertTrue(mux.connection.isFinished());
    }

    @Test
    void answersAPeerThatHasEndedItsOutput() {
        mux.get(1, "/").post(3, "/");
        mux.connection.receiveEnd();
        assertFalse(mux.connection.isClosed());
        assertThrows(IOException.class, () -> mux.stream(3).read());
        assertNotNull(mux.connection.writeLimit(), "it must take what it waits for");

        mux.answer(1, 5);
        mux.stream(1).end();
        mux.answer(3, 5);
        mux.stream(3).end();

        assertTrue(mux.connection.isClosed());
        assertTrue(mux.sent().contains("D 1 5 end"));
    }

    @Test
    void closesAtOnceWhenAnIdlePeerEndsItsOutputOrMayNotEndItAlone() {
        mux.connection.receiveEnd();
        assertTrue(mux.connection.isClosed());

        begin(OPTIONS.with(HttpOptions.ALLOW_HALF_CLOSE, false));
        mux.get(1, "/");
        mux.connection.receiveEnd();
        assertTrue(mux.connection.isClosed());
    }

    @Test
    void waitsForAFrameAndForStreamsByTheirOwnTimes() {
        begin(OPTIONS.with(CONNECTION_TIMEOUT, Duration.ofSeconds(7)).with(KEEP_ALIVE_TIMEOUT, Duration.ofSeconds(70)));
        mux.receive('P', false, 0, PlainFrames.number(1));
        assertTrue(mux.connection.timeout().toSeconds() > 60);
        mux.connection.receive(new byte[] {'H'});
        assertTrue(mux.connection.timeout().toSeconds() <= 7);
    }

    @Test
    void anIdlePeerIsServedAsLongAsStreamsRun() {
        begin(OPTIONS.with(KEEP_ALIVE_TIMEOUT, Duration.ofNanos(1)));
        mux.get(1, "/");
        mux.connection.idle().idle();
        assertFalse(mux.connection.isFinished());

        mux.answer(1, 5);
        mux.stream(1).end();
        mux.connection.idle();

        assertTrue(mux.connection.isFinished());
        assertTrue(mux.sent().contains("G 1 NONE"));
    }

    @Test
    void aPeerThatAlwaysSendsTheBeginOfAnotherFrameIsIdle() {
        begin(OPTIONS.with(KEEP_ALIVE_TIMEOUT, Duration.ofNanos(1)).with(CONNECTION_TIMEOUT, Duration.ofMillis(300)));
        byte[] ping = PlainFrames.frame('P', false, 0, PlainFrames.number(1));
        ByteBuffer round = ByteBuffer.allocate(ping.length);
        round.put(ping, 1, ping.length - 1).put(ping[0]); // the rest of one, and the begin of the next
        mux.connection.receive(new byte[] {ping[0]});
        Deadline.await("the end of a connection without requests", () -> {
            mux.connection.receive(round.array()).idle();
            return mux.connection.isFinished();
        });
    }

    @Test
    void requestsThatAreResetWhileTheyWaitAreNotServed() {
        try (Timers timers = new Timers("test");
                MuxScript slow = new MuxScript(OPTIONS, timers)) {
            int id = 1;
            long begun = System.nanoTime();
            // fewer in excess than may be open, as their places are free after the delay
            for (int i = 0; i < 280; i++, id += 2) {
                slow.get(id, "/cancelled").receive('R', false, id);
                HttpStream served = slow.streams.get(id);
                if (served != null) {
                    served.abort(null);
                }
            }
            // two hundred that are wasted, 33 a second, and the last one
            long most = 210 + 33 * Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000;
            slow.get(id, "/wanted");
            Deadline.await(
                    "the request",
                    () -> slow.requests.get(slow.requests.size() - 1).target().equals("/wanted"));
            assertTrue(slow.requests.size() <= most, slow.requests.size() + " were served");
        }
    }

    // ---- tunnels

    /** RFC 8441, 4: the client would take any success for an open tunnel. */
    @Test
    void sendsNoSuccessToARequestForATunnelWithoutOne() {
        mux.receive('H', false, 1, MuxScript.text("TUNNEL /chat"));
        mux.sent();
        mux.send(1, new ResponseHead(), 5, false);
        mux.send(1, null, 5, true);
        assertEquals(List.of("H 1 501 0 end"), mux.sent());
    }

    @Test
    void recordsMalformedRequests() {
        mux.receive('H', true, 1, MuxScript.text("POST / length=5"));
        assertEquals(List.of(400), mux.refused);
    }

    @Test
    void carriesATunnelOverAStream() throws IOException {
        mux.receive('H', false, 1, MuxScript.text("TUNNEL /chat")).data(1, 3, false);
        assertEquals(Chunk.END, mux.stream(1).read());
        AtomicReference<@Nullable HttpStream> opened = new AtomicReference<>();

        mux.stream(1).tunnel(new ResponseHead().status(101), Duration.ZERO, opened::set);
        HttpStream tunnel = Objects.requireNonNull(opened.get());

        assertEquals(List.of("H 1 200"), mux.sent());
        assertEquals(3, drainInput(tunnel));
        tunnel.send(null, Payload.of(ByteBuffer.allocate(4)), false, Completion.IGNORE);
        assertTrue(mux.sent().contains("D 1 4"));
        AtomicInteger drained = new AtomicInteger();
        tunnel.onDrain(drained::incrementAndGet);
        mux.connection.drain();
        assertEquals(1, drained.get());
        mux.data(1, 0, true);
        tunnel.send(null, Payload.NOTHING, true, Completion.IGNORE);
        tunnel.end();
        assertTrue(mux.sent().contains("D 1 0 end"));
    }

    @Test
    void refusesATunnelThatWasNotAskedFor() {
        mux.get(1, "/");

        assertThrows(
                UnsupportedOperationException.class,
                () -> mux.stream(1).tunnel(new ResponseHead().status(101), Duration.ZERO, tunnel -> {}));
    }

    // ---- order and batches

    @Test
    void streamsOfOneUrgencyTakeTurnsAndTheUrgentGoFirst() {
        mux.receive('S', false, 0, PlainFrames.number(10_000_000)).credit(0, 10_000_000);
        mux.get(1, "/").get(3, "/").get(5, "/ u=0");
        mux.connection.hold();
        mux.answer(1, 200_000);
        mux.answer(3, 200_000);
        mux.answer(5, 100_000);
        mux.connection.unhold();

        List<Integer> order = new ArrayList<>();
        for (String frame : mux.sent()) {
            if (frame.startsWith("D ")) {
                order.add(Integer.parseInt(frame.split(" ", -1)[1]));
            }
        }
        int lastUrgent = order.lastIndexOf(5);
        long others =
                order.subList(0, lastUrgent).stream().filter(id -> id != 5).count();
        assertTrue(others <= 6, "the urgent one waited: " + order); // two batches were full before it came
        List<Integer> rest = order.subList(lastUrgent + 1, order.size());
        for (int i = 1; i < rest.size() / 2; i++) {
            assertFalse(rest.get(i).equals(rest.get(i - 1)), "no turns: " + order);
        }
    }

    @Test
    void repliesOfABurstShareAWrite() {
        byte[] burst = new byte[0];
        for (int id = 1; id < 100; id += 2) {
            burst = concat(burst, PlainFrames.frame('H', true, id, MuxScript.text("GET /")));
        }
        mux.close();
        mux = new MuxScript(OPTIONS, false);
        mux.turns.haveOthersWait();
        mux.connection.receive(burst);
        int before = mux.connection.writes();

        for (int id = 1; id < 100; id += 2) {
            mux.answer(id, 100);
        }
        mux.turns.runAll();

        assertEquals(before + 1, mux.connection.writes());
        assertEquals(100, mux.sent().size());
    }

    /** Others that wait for the thread are of other connections: what they say leaves by other sockets. */
    @Test
    void aReplyWaitsForNoOthersWhereNoneOfItsConnectionAreUnderWay() {
        mux.close();
        mux = new MuxScript(OPTIONS, false);
        mux.turns.haveOthersWait();
        mux.get(1, "/");
        int before = mux.connection.writes();

        mux.answer(1, 100);
        mux.stream(1).end();

        assertEquals(before + 1, mux.connection.writes());
        assertFalse(mux.turns.runOne(), "a flush was left for later");
    }

    @Test
    void aMillionPiecesNeedNoStack() {
        mux.receive('S', false, 0, PlainFrames.number(Integer.MAX_VALUE)).credit(0, Integer.MAX_VALUE - 65_535);
        mux.get(1, "/");
        HttpStream stream = mux.stream(1);
        AtomicInteger left = new AtomicInteger(100_000);
        Completion next = new Completion() {
            @Override
            public void done(@Nullable Throwable failure) {
                int rest = left.decrementAndGet();
                if (rest >= 0) {
                    stream.send(null, Payload.of(ByteBuffer.allocate(1)), rest == 0, this);
                }
            }
        };
        mux.connection.run(() -> stream.send(new ResponseHead(), Payload.NOTHING, false, next));

        assertEquals(-1, left.get());
        assertEquals(100_000, bytes(mux.sent(), 1));
    }

    // ---- help

    private static int bytes(List<String> frames, int id) {
        int sum = 0;
        for (String frame : frames) {
            if (frame.startsWith("D " + id + " ")) {
                sum += Integer.parseInt(frame.split(" ", -1)[2]);
            }
        }
        return sum;
    }

    private static int drainInput(HttpStream stream) throws IOException {
        int sum = 0;
        for (Chunk chunk = stream.read(); chunk != null && !chunk.isEnd(); chunk = stream.read()) {
            sum += chunk.bytes().remaining();
            chunk.release();
        }
        return sum;
    }

    private static List<String> sorted(List<String> frames) {
        return frames.stream().sorted((a, b) -> b.compareTo(a)).toList();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
