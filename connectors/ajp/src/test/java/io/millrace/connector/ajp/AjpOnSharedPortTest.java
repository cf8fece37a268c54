package io.millrace.connector.ajp;

import io.millrace.protocol.Dispatcher;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ProtocolContract;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** AJP where HTTP/1.1 is preferred, in chunks and one byte at a time. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class AjpOnSharedPortTest extends ProtocolContract {

    private final boolean dripping;

    AjpOnSharedPortTest(boolean dripping) {
        this.dripping = dripping;
    }

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        return new AjpContractClient(
                SharedPort.link(dripping, dispatcher), "s", SharedPort.AJP.get(AjpOptions.PACKET_SIZE));
    }
}
