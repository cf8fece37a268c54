package io.millrace.samples;

import static io.millrace.connector.ajp.AjpOptions.AJP_FLUSH;
import static io.millrace.connector.ajp.AjpOptions.ALLOWED_REQUEST_ATTRIBUTES;
import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;
import static io.millrace.connector.ajp.AjpOptions.SECRET;
import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHENTICATION;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHORIZATION;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.Connector;
import io.millrace.connector.ajp.AjpProtocol;
import io.millrace.http.EncodedSlash;
import io.millrace.http1.Http1Protocol;
import io.millrace.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Connectors that speak AJP. Compiled only if connectors/ajp exists. */
final class AjpConnectors {

    private AjpConnectors() {}

    static Connector ajp() {
        // tag::ajp
        Settings options = Settings.DEFAULTS
                .with(SECRET, "change-me")
                .with(SECRET_REQUIRED, true)
                .with(ALLOWED_REQUEST_ATTRIBUTES, Pattern.compile("shop\\..*"))
                .with(TOMCAT_AUTHENTICATION, true)
                .with(TOMCAT_AUTHORIZATION, false)
                .with(PACKET_SIZE, 65_536)
                .with(AJP_FLUSH, true)
                .with(MAX_HEADER_COUNT, 100)
                .with(CONNECTION_TIMEOUT, Duration.ZERO)
                .with(KEEP_ALIVE_TIMEOUT, Duration.ofMinutes(10))
                .with(ENCODED_SOLIDUS_HANDLING, EncodedSlash.REJECT)
                .with(URI_ENCODING, StandardCharsets.UTF_8);
        Connector ajp = Connector.builder()
                .protocol(new AjpProtocol(options, "http"))
                .address("127.0.0.1")
                .port(8009)
                .build();
        // end::ajp
        return ajp;
    }

    static Connector sharedPort(Settings options) {
        // tag::shared-port
        Connector both = Connector.builder()
                .protocols(List.of( // the most preferred first
                        new Http1Protocol(Settings.DEFAULTS, "http"), new AjpProtocol(options, "http")))
                .address("127.0.0.1")
                .port(8009)
                .build();
        // end::shared-port
        return both;
    }
}
