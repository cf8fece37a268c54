package io.millrace.connector.ajp;

import io.millrace.protocol.Dispatcher;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.ScriptedLink;

class AjpOverScriptTest extends ProtocolContract {

    /** A front end that ends its output is gone. */
    @Override
    protected boolean mayFinishEarly() {
        return false;
    }

    @Override
    protected boolean hasExpectAndTrailers() {
        return false;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        AjpOptions options = AjpOptions.builder().secret("s").build();
        AjpProtocol protocol = new AjpProtocol(options, "http");
        return new AjpContractClient(
                new ScriptedLink(protocol, dispatcher, connection -> connection), "s", options.packetSize());
    }
}
