package io.millrace.servlet.request;

import io.millrace.http.RequestedHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The host names of this machine's addresses, for {@code getLocalName()}. The name service is queried at most every five minutes
 * for each address, by the worker thread that needs the name: this may take seconds. Other threads wait for the first result
 * only; later they get the previous name. Thread-safe.
 */
final class LocalNames {

    /** Shared by all servers in this process. */
    static final LocalNames SHARED = new LocalNames(LocalNames::lookUp, System::nanoTime);

    /** Bounds memory, as a front end may report any local address: beyond this, an address is its own name. */
    private static final int MOST = 256;

    private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Map<InetAddress, Entry> entries = new ConcurrentHashMap<>();
    private final Function<InetAddress, String> lookup;
    private final LongSupplier clock;

    LocalNames(Function<InetAddress, String> lookup, LongSupplier clock) {
        this.lookup = lookup;
        this.clock = clock;
    }

    /** The host name, or the address if it has none; blocks on the name service. */
    static String named(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getCanonicalHostName()
                : RequestedHost.host(address);
    }

    /** The name reported by a front end, else that of the name service. */
    static String ofLocal(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "";
        }
        InetAddress ip = inet.getAddress();
        boolean named = ip == null || !inet.getHostString().equals(ip.getHostAddress());
        return named ? inet.getHostString() : SHARED.of(ip);
    }

    /** The host name of an address; the address as text if it has none. */
    String of(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return "localhost";
        }
        Entry entry = entries.get(address);
        if (entry == null) {
            if (entries.size() >= MOST) {
                return address.getHostAddress();
            }
            entry = entries.computeIfAbsent(address, unknown -> new Entry());
        }
        return entry.name(address);
    }

    /** Uses a new object: the connection's own would keep the name and be printed with it. */
    private static String lookUp(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress()).getHostName();
        } catch (UnknownHostException wrongLength) {
            return address.getHostAddress();
        }
    }

    private record Name(String text, long since) {}

    private final class Entry {

        private final ReentrantLock asking = new ReentrantLock();
        private volatile @Nullable Name name;

        String name(InetAddress address) {
            Name known = name;
            if (known == null) {
                asking.lock();
            } else if (isFresh(known) || !asking.tryLock()) {
                return known.text;
            }
            try {
                Name current = name;
                return current != null && isFresh(current) ? current.text : ask(address);
            } finally {
                asking.unlock();
            }
        }

        private boolean isFresh(Name known) {
            return clock.getAsLong() - known.since < FRESH_NANOS;
        }

        private String ask(InetAddress address) {
            String text = lookup.apply(address);
            name = new Name(text, clock.getAsLong());
            return text;
        }
    }
}
