package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of a server's packets: in every state, each of 256 types leads to the state of the table, or is rejected. */
final class ResponseStateTest {

    private static final Map<ResponseState, Map<Integer, ResponseState>> TABLE = Map.of(
            ResponseState.PONG, Map.of(9, ResponseState.HEAD),
            ResponseState.HEAD, Map.of(6, ResponseState.HEAD, 4, ResponseState.BODY),
            ResponseState.BODY, Map.of(3, ResponseState.BODY, 6, ResponseState.BODY, 5, ResponseState.WHOLE));

    @ParameterizedTest
    @EnumSource
    void takesNothingElse(ResponseState from) {
        Map<Integer, ResponseState> expected = TABLE.getOrDefault(from, Map.of());
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
            assertEquals(expected.get(type), ResponseState.next(from, type));
        }
    }
}
