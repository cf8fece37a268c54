package io.millrace.connector.ajp;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Provides the AJP client for URLs {@code ajp://host:8009?secret=…}. */
public final class AjpClientProvider implements ClientProtocolProvider {

    private static final ClientScheme AJP = ClientScheme.of("ajp", "AJP/1.3", 8009, false);

    /** For the service loader. */
    public AjpClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(AJP);
    }

    @Override
    public List<Setting<?>> settings() {
        return AjpClientOptions.all();
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        return new AjpClient(settings, responseTimeout, keepAliveTimeout);
    }

    /** Sends a CPING, which requires no secret, and expects a CPONG. */
    @Override
    public boolean isSpoken(InputStream from, OutputStream to) throws IOException {
        to.write(ClientPackets.cping());
        byte[] pong = ServerPackets.cpong();
        return Arrays.equals(pong, from.readNBytes(pong.length));
    }
}
