package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;
import static io.millrace.connector.ajp.AjpOptions.SECRET;

import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.ScriptedLink;

class AjpOverDripTest extends ProtocolContract {

    @Override
    protected int large() {
        return 200_000;
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) {
        Settings options = Settings.DEFAULTS.with(SECRET, "s").with(PACKET_SIZE, 65_536);
        AjpProtocol protocol = new AjpProtocol(options, "http");
        return new AjpContractClient(
                new ScriptedLink(protocol, dispatcher, DripConnection::new), "s", options.get(AjpOptions.PACKET_SIZE));
    }
}
