package io.millrace.protocol.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every event in every state. */
final class MuxStatesTest {

    @Test
    void aStreamsDirectionsEndOneByOneOrTogether() {
        Map<String, StreamState> expected = Map.ofEntries(
                Map.entry("OPEN PEER_END", StreamState.HALF_CLOSED_REMOTE),
                Map.entry("OPEN OWN_END", StreamState.HALF_CLOSED_LOCAL),
                Map.entry("OPEN OWN_RESET", StreamState.RESET_BY_US),
                Map.entry("OPEN PEER_RESET", StreamState.RESET_BY_PEER),
                Map.entry("HALF_CLOSED_REMOTE OWN_END", StreamState.CLOSED),
                Map.entry("HALF_CLOSED_REMOTE OWN_RESET", StreamState.RESET_BY_US),
                Map.entry("HALF_CLOSED_REMOTE PEER_RESET", StreamState.RESET_BY_PEER),
                Map.entry("HALF_CLOSED_LOCAL PEER_END", StreamState.CLOSED),
                Map.entry("HALF_CLOSED_LOCAL OWN_RESET", StreamState.RESET_BY_US),
                Map.entry("HALF_CLOSED_LOCAL PEER_RESET", StreamState.RESET_BY_PEER));
        for (StreamState from : StreamState.values()) {
            for (StreamState.Event event : StreamState.Event.values()) {
                assertEquals(expected.get(from + " " + event), StreamState.next(from, event), from + " " + event);
            }
            if (from.isOver()) {
                assertEquals(from, StreamState.ofBits(from.bits()));
            }
            assertEquals(from.isOver(), !from.isOwnOpen() && !from.isPeerOpen());
        }
    }

    @Test
    void aResponseIsGivenInOrder() {
        Map<String, SendState> expected = Map.of(
                "IDLE HEAD", SendState.STREAMING,
                "STREAMING LAST", SendState.ENDING,
                "ENDING SENT", SendState.ENDED,
                "IDLE FAIL", SendState.FAILED,
                "STREAMING FAIL", SendState.FAILED,
                "ENDING FAIL", SendState.FAILED,
                "FAILED FAIL", SendState.FAILED,
                "ENDED FAIL", SendState.ENDED);
        for (SendState from : SendState.values()) {
            for (SendState.Event event : SendState.Event.values()) {
                assertEquals(expected.get(from + " " + event), SendState.next(from, event), from + " " + event);
            }
        }
    }

    @Test
    void aBodyEndsOnce() {
        for (ReceiveState.Event event : ReceiveState.Event.values()) {
            assertEquals(ReceiveState.DISCARDED, ReceiveState.next(ReceiveState.DISCARDED, event));
            assertEquals(ReceiveState.FAILED, ReceiveState.next(ReceiveState.FAILED, event));
        }
        for (ReceiveState from : new ReceiveState[] {ReceiveState.OPEN, ReceiveState.ENDED}) {
            assertEquals(ReceiveState.ENDED, ReceiveState.next(from, ReceiveState.Event.END));
            assertEquals(ReceiveState.DISCARDED, ReceiveState.next(from, ReceiveState.Event.DISCARD));
            assertEquals(ReceiveState.FAILED, ReceiveState.next(from, ReceiveState.Event.FAIL));
        }
    }

    @Test
    void aConnectionEndsStepByStepOrAtOnce() {
        Map<String, MuxState> expected = Map.ofEntries(
                Map.entry("OPEN DRAIN", MuxState.DRAINING),
                Map.entry("OPEN LAST", MuxState.LAST),
                Map.entry("OPEN EMPTY", MuxState.CLOSING),
                Map.entry("OPEN FAULT", MuxState.CLOSING),
                Map.entry("DRAINING LAST", MuxState.LAST),
                Map.entry("DRAINING EMPTY", MuxState.CLOSING),
                Map.entry("DRAINING FAULT", MuxState.CLOSING),
                Map.entry("LAST EMPTY", MuxState.CLOSING),
                Map.entry("LAST FAULT", MuxState.CLOSING),
                Map.entry("CLOSING SENT", MuxState.LINGERING),
                Map.entry("OPEN CLOSE", MuxState.CLOSED),
                Map.entry("DRAINING CLOSE", MuxState.CLOSED),
                Map.entry("LAST CLOSE", MuxState.CLOSED),
                Map.entry("CLOSING CLOSE", MuxState.CLOSED),
                Map.entry("LINGERING CLOSE", MuxState.CLOSED));
        for (MuxState from : MuxState.values()) {
            for (MuxState.Event event : MuxState.Event.values()) {
                assertEquals(expected.get(from + " " + event), MuxState.next(from, event), from + " " + event);
            }
        }
    }

    @Test
    void aServerSaysOnceThatItOpensTunnels() {
        for (boolean allowed : new boolean[] {true, false}) {
            TunnelSupport said = allowed ? TunnelSupport.YES : TunnelSupport.NO;
            assertEquals(said, TunnelSupport.UNKNOWN.next(allowed));
            assertEquals(said, TunnelSupport.NO.next(allowed));
            assertEquals(TunnelSupport.YES, TunnelSupport.YES.next(allowed));
            assertEquals(TunnelSupport.NEVER, TunnelSupport.NEVER.next(allowed));
        }
    }
}
