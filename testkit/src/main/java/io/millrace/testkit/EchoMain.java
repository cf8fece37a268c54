package io.millrace.testkit;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An echo server in a process of its own, for tests that limit the process. The argument names a transport; prints its port. */
final class EchoMain {

    private EchoMain() {}

    public static void main(String[] args) throws Exception {
        BufferPool buffers = new BufferPool(16L * 1024 * 1024);
        TransportProvider provider = Transports.provider(args[0]);
        Transport transport = provider.create(TransportOptions.defaults("echo", buffers, new Timers("echo-timers")));
        InetSocketAddress address = (InetSocketAddress) transport.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), connection -> {
                    Probe probe = new Probe(connection).onReadable(Probe::echo);
                    connection.install(probe);
                    probe.onReadable();
                });
        loadClasses(address, transport);
        System.out.println(address.getPort());
    }

    /** Loads classes in advance: here they are files and need descriptors; in a distribution they are in jars, which are open. */
    private static void loadClasses(InetSocketAddress address, Transport transport) throws Exception {
        RawClient orderly = RawClient.connect(address).send("x");
        orderly.read(1);
        orderly.send("y").finish().readToEnd();
        RawClient rude = RawClient.connect(address).send("x");
        rude.read(1);
        rude.reset();
        Deadline.await("both connections to end", () -> transport.connections() == 0);
    }
}
