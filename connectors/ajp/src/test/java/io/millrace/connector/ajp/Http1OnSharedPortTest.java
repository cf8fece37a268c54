package io.millrace.connector.ajp;

import io.millrace.protocol.Dispatcher;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.EarlyFinishCases;
import io.millrace.testkit.ExpectAndTrailerCases;
import io.millrace.testkit.Http1ContractClient;
import io.millrace.testkit.ProtocolContract;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 on a port that also accepts AJP, in chunks and one byte at a time. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class Http1OnSharedPortTest extends ProtocolContract implements ExpectAndTrailerCases, EarlyFinishCases {

    private final boolean dripping;

    Http1OnSharedPortTest(boolean dripping) {
        this.dripping = dripping;
    }

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        return new Http1ContractClient(SharedPort.link(dripping, dispatcher));
    }
}
