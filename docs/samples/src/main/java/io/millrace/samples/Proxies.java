package io.millrace.samples;

import io.millrace.Server;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import java.io.IOException;
import java.time.Duration;

/** The proxy in the guide. */
final class Proxies {

    private Proxies() {}

    static Server one(String backend) throws IOException {
        // tag::one
        Server server = Server.builder()
                .port(0)
                .application(ProxyApplication.to(backend))
                .start();
        // end::one
        return server;
    }

    static Server sticky(String first, String second, String third) throws IOException {
        // tag::sticky
        ProxyApplication shop = ProxyApplication.to(
                        first + "?route=node1", second + "?route=node2", third + "?route=node3&weight=2")
                .at("/shop")
                .with(ProxyOptions.STICKY, "JSESSIONID")
                .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofSeconds(30));
        Server server = Server.builder().port(0).application(shop).start();
        // end::sticky
        return server;
    }

    static boolean drain(ProxyApplication proxy, String backend) {
        // tag::drain
        proxy.drain(backend);
        boolean isIdle = proxy.status().stream()
                .filter(each -> each.backend().equals(backend))
                .allMatch(each -> each.running() == 0);
        // end::drain
        return isIdle;
    }
}
