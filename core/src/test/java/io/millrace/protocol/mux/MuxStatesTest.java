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
        Map<String, StreamOutput.State> expected = Map.of(
                "IDLE HEAD", StreamOutput.State.STREAMING,
                "STREAMING LAST", StreamOutput.State.ENDING,
                "ENDING SENT", StreamOutput.State.ENDED,
                "IDLE FAIL", StreamOutput.State.FAILED,
                "STREAMING FAIL", StreamOutput.State.FAILED,
                "ENDING FAIL", StreamOutput.State.FAILED,
                "FAILED FAIL", StreamOutput.State.FAILED,
                "ENDED FAIL", StreamOutput.State.ENDED);
        for (StreamOutput.State from : StreamOutput.State.values()) {
            for (StreamOutput.State.Event event : StreamOutput.State.Event.values()) {
                assertEquals(
                        expected.get(from + " " + event), StreamOutput.State.next(from, event), from + " " + event);
            }
        }
    }

    @Test
    void aBodyEndsOnce() {
        for (StreamInput.State.Event event : StreamInput.State.Event.values()) {
            assertEquals(StreamInput.State.DISCARDED, StreamInput.State.next(StreamInput.State.DISCARDED, event));
            assertEquals(StreamInput.State.FAILED, StreamInput.State.next(StreamInput.State.FAILED, event));
        }
        for (StreamInput.State from : new StreamInput.State[] {StreamInput.State.OPEN, StreamInput.State.ENDED}) {
            assertEquals(StreamInput.State.ENDED, StreamInput.State.next(from, StreamInput.State.Event.END));
            assertEquals(StreamInput.State.DISCARDED, StreamInput.State.next(from, StreamInput.State.Event.DISCARD));
            assertEquals(StreamInput.State.FAILED, StreamInput.State.next(from, StreamInput.State.Event.FAIL));
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
}
