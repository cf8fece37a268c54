package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.Protocol;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs known attacks against a multiplexed protocol: each frame must cost little, hold no resources, and the connection
 * must end. A subclass has a static method {@code attacks} that returns them. Requests for {@code /large} get a response
 * of one mebibyte; others get none.
 */
public abstract class AttackContract {

    /** More rounds than any budget allows. */
    private static final int ROUNDS = 20_000;

    /** The maximum number of buffers held. */
    private static final int BUFFERS = 16;

    /** Octets of heap per frame, including what it causes and what the test itself keeps; most frames take a hundredth. */
    protected static final long MAX_ALLOCATED = 32 * 1024;

    /** A frame takes about a microsecond; test machines may be busy. */
    private static final long MAX_NANOS = 200_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ScriptedConnection connection = new ScriptedConnection();
    private int running;

    /**
     * What the attacker sends.
     *
     * @param begin what it sends first
     * @param round what it sends repeatedly; rounds count from 1
     * @param frames the number of frames of a round
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Attack(String name, byte[] begin, IntFunction<byte[]> round, int frames) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The protocol with default settings. */
    protected abstract Protocol protocol();

    /** What a client sends first. */
    protected abstract byte[] begin();

    /** What a client sends first whose streams have flow-control windows of 0. */
    protected abstract byte[] beginClosed();

    /** A request for a path, without a body. */
    protected abstract byte[] get(int id, String path);

    /** A frame that must be answered; rounds count from 1. */
    protected abstract byte[] ping(int round);

    /** The stream id of a round. */
    protected static int id(int round) {
        return 2 * round + 1;
    }

    /** Opens a connection with these frames. */
    protected final ScriptedConnection serve(byte[] first) {
        connection.start(protocol().open(connection, null, this::dispatch));
        return connection.receive(first);
    }

    /** The octets of heap that a frame costs. */
    protected final long allocatedBy(byte[] frames) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        connection.receive(frames);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private void dispatch(RequestHead request, HttpStream stream) {
        running++;
        stream.onClosed(cause -> {
            running--;
            stream.abort(null);
        });
        if (request.path().decoded().equals("/large")) {
            stream.send(new ResponseHead(), Payload.of(ByteBuffer.allocate(1 << 20)), true, failure -> {});
        }
    }

    @AfterEach
    void nothingIsHeld() {
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding());
        assertEquals(0, running, "exchanges that were not notified");
    }

    @ParameterizedTest
    @MethodSource("attacks")
    protected final void endsWithinItsBudget(Attack attack) {
        serve(attack.begin());
        long allocated = 0;
        long time = 0;
        int frames = 0;
        int most = 0;
        for (int i = 0; i < ROUNDS && !connection.isFinished(); i++) {
            byte[] round = attack.round().apply(i + 1);
            long timeBefore = THREADS.getCurrentThreadCpuTime();
            allocated += allocatedBy(round);
            time += THREADS.getCurrentThreadCpuTime() - timeBefore;
            frames += attack.frames();
            most = Math.max(most, connection.channel().buffers().outstanding());
        }

        assertTrue(connection.isFinished(), "the connection was still open after " + frames + " frames");
        assertTrue(most <= BUFFERS, most + " buffers were held");
        // the fixed costs of a connection matter little with many frames
        assertTrue(allocated < MAX_ALLOCATED * (100 + frames), allocated + " octets for " + frames + " frames");
        assertTrue(time < MAX_NANOS * (1000 + frames), time + " ns for " + frames + " frames");
    }

    /** Responses are not buffered without a limit for a peer that does not read (CVE-2019-9517). */
    @Test
    void answersThatNobodyReadsStopTheReading() {
        serve(begin());
        connection.receive(get(1, "/hold"));
        connection.hold();
        int rounds = 0;
        while (connection.isAwaiting() && rounds < ROUNDS) {
            rounds++;
            connection.receive(ping(rounds));
        }

        assertTrue(rounds < 1100, rounds + " were read");
        assertTrue(connection.channel().buffers().outstanding() <= BUFFERS);
        connection.unhold();
    }

    /** Responses that the peer does not read are suspended, and hold no buffers. */
    @Test
    void closedWindowsHoldNoBuffers() {
        serve(beginClosed());
        for (int i = 0; i < 100; i++) {
            connection.receive(get(id(i), "/large"));
        }

        assertEquals(100, running);
        assertEquals(0, connection.channel().buffers().outstanding());
    }
}
