package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.SECRET;

import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.ScriptedLink;

class AjpOverScriptTest extends ProtocolContract {

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        Settings options = Settings.DEFAULTS.with(SECRET, "s");
        AjpProtocol protocol = new AjpProtocol(options, "http");
        return new AjpContractClient(
                new ScriptedLink(protocol, dispatcher, connection -> connection),
                "s",
                options.get(AjpOptions.PACKET_SIZE));
    }
}
