package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;

import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;

class Http1OverScriptTest extends ProtocolContract implements ExpectAndTrailerCases, EarlyFinishCases, SwitchCases {

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        Settings options = Settings.DEFAULTS.with(MAX_KEEP_ALIVE_REQUESTS, -1);
        Http1Protocol protocol = new Http1Protocol(options, "http");
        return new Http1ContractClient(new ScriptedLink(protocol, dispatcher, connection -> connection));
    }
}
