package bench;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import java.net.URI;
import org.xnio.Options;

/** Undertow's proxy of one backend, BACKEND (host:port). */
public final class UndertowProxyMain {
    public static void main(String[] args) throws Exception {
        LoadBalancingProxyClient client = new LoadBalancingProxyClient()
                .setConnectionsPerThread(1100)
                .setSoftMaxConnectionsPerThread(1100);
        client.addHost(new URI("http://" + Env.get("BACKEND", "")));
        Undertow.builder()
                .addHttpListener(Env.port(), Env.host())
                .setSocketOption(Options.BACKLOG, Env.BACKLOG)
                .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, Env.KEEP_ALIVE_MS)
                .setHandler(Handlers.proxyHandler(client))
                .build()
                .start();
    }
}
