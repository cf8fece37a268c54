package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of a server's packets: in every state, each of 256 types leads to the state of the table, or is rejected. */
final class ResponseStateTest {

    private static final Map<AjpClientStream.ResponseState, Map<Integer, AjpClientStream.ResponseState>> TABLE = Map.of(
            AjpClientStream.ResponseState.PONG, Map.of(9, AjpClientStream.ResponseState.HEAD),
            AjpClientStream.ResponseState.HEAD,
                    Map.of(6, AjpClientStream.ResponseState.HEAD, 4, AjpClientStream.ResponseState.BODY),
            AjpClientStream.ResponseState.BODY,
                    Map.of(
                            3,
                            AjpClientStream.ResponseState.BODY,
                            6,
                            AjpClientStream.ResponseState.BODY,
                            5,
                            AjpClientStream.ResponseState.WHOLE));

    @ParameterizedTest
    @EnumSource
    void takesNothingElse(AjpClientStream.ResponseState from) {
        Map<Integer, AjpClientStream.ResponseState> expected = TABLE.getOrDefault(from, Map.of());
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
            assertEquals(expected.get(type), AjpClientStream.ResponseState.next(from, type));
        }
    }
}
