package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.mux.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {

    @ParameterizedTest
    @EnumSource(Fault.class)
    void hasACodeForEachReason(Fault fault) {
        assertEquals(fault, ErrorCode.fault(ErrorCode.of(fault)));
    }

    @Test
    void takesAnUnknownCodeForAnInternalError() {
        assertEquals(Fault.INTERNAL, ErrorCode.fault(14));
        assertEquals(Fault.INTERNAL, ErrorCode.fault(0xffff_ffffL));
        assertEquals(13, ErrorCode.of(Fault.HTTP_1_1_REQUIRED));
    }
}
