package io.millrace.testkit;

import io.millrace.http1.Http1Options;
import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Dispatcher;

class Http1OverDripTest extends ProtocolContract {

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        Http1Options options = Http1Options.builder().maxKeepAliveRequests(-1).build();
        Http1Protocol protocol = new Http1Protocol(options, "http");
        return new Http1ContractClient(new ScriptedLink(protocol, dispatcher, DripConnection::new));
    }
}
