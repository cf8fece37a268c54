package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.ResponseState.Event;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BodyStatesTest {

    private static final Map<ResponseState, Map<Event, ResponseState>> RESPONSE = new EnumMap<>(ResponseState.class);

    static {
        response(ResponseState.OPEN, ResponseState.SENDING, ResponseState.FINISHING, ResponseState.FINISHING, null);
        response(ResponseState.SENDING, null, null, ResponseState.DRAINING, ResponseState.STREAMING);
        response(
                ResponseState.STREAMING, ResponseState.SENDING, ResponseState.FINISHING, ResponseState.FINISHING, null);
        response(ResponseState.DRAINING, null, null, ResponseState.DRAINING, ResponseState.FINISHING);
        response(ResponseState.FINISHING, null, null, ResponseState.FINISHING, ResponseState.FINISHED);
        response(ResponseState.FINISHED, null, null, ResponseState.FINISHED, null);
        response(
                ResponseState.FAILED,
                ResponseState.FAILED,
                ResponseState.FAILED,
                ResponseState.FAILED,
                ResponseState.FAILED);
    }

    private static void response(
            ResponseState from,
            @Nullable ResponseState piece,
            @Nullable ResponseState last,
            @Nullable ResponseState end,
            @Nullable ResponseState sent) {
        Map<Event, ResponseState> row = new EnumMap<>(Event.class);
        put(row, Event.PIECE, piece);
        put(row, Event.LAST, last);
        put(row, Event.END, end);
        put(row, Event.SENT, sent);
        put(row, Event.FAIL, from == ResponseState.FINISHED ? from : ResponseState.FAILED);
        RESPONSE.put(from, row);
    }

    private static void put(Map<Event, ResponseState> row, Event event, @Nullable ResponseState to) {
        if (to != null) {
            row.put(event, to);
        }
    }

    static Stream<Arguments> responsePairs() {
        return Stream.of(ResponseState.values())
                .flatMap(from -> Stream.of(Event.values()).map(event -> Arguments.of(from, event)));
    }

    @ParameterizedTest
    @MethodSource("responsePairs")
    void movesTheResponseAsTheTableSays(ResponseState from, Event event) {
        ResponseState to = RESPONSE.getOrDefault(from, Map.of()).get(event);
        if (to == null) {
            assertThrows(IllegalStateException.class, () -> ResponseState.next(from, event));
        } else {
            assertEquals(to, ResponseState.next(from, event));
        }
    }

    static Stream<Arguments> requestPairs() {
        return Stream.of(RequestState.values())
                .flatMap(from -> Stream.of(RequestState.Event.values()).map(event -> Arguments.of(from, event)));
    }

    @ParameterizedTest
    @MethodSource("requestPairs")
    void movesTheRequestAsTheTableSays(RequestState from, RequestState.Event event) {
        if (from == RequestState.EXHAUSTED || from == RequestState.FAILED) {
            assertThrows(IllegalStateException.class, () -> RequestState.next(from, event));
            return;
        }
        RequestState to = switch (event) {
            case READ -> RequestState.READING;
            case END -> RequestState.EXHAUSTED;
            case FAIL -> RequestState.FAILED;
        };
        assertEquals(to, RequestState.next(from, event));
    }
}
