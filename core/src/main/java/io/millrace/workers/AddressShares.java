package io.millrace.workers;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * Limits how many workers the requests from one address occupy, over all of its connections. Addresses of IPv6 that agree
 * in their first 64 bits are one, since a single host may use all of them (RFC 4291, 2.5.4). Thread-safe.
 */
public final class AddressShares {

    private final WorkerShares shares = new WorkerShares(Integer.MAX_VALUE);
    private final int most;

    /**
     * Shares without tasks.
     *
     * @param most the maximum number of tasks of an address that run at the same time; others wait in order
     */
    public AddressShares(int most) {
        this.most = most;
    }

    /**
     * The share of an address.
     *
     * @param workers runs its tasks
     * @param nested runs its {@linkplain WorkerShare#nested nested} tasks
     * @param reached called when a task has to wait, on the thread that submits it
     */
    public WorkerShare share(InetAddress address, Executor workers, Executor nested, Runnable reached) {
        return shares.share(key(address), workers, nested, most, reached);
    }

    private static Object key(InetAddress address) {
        return address instanceof Inet6Address
                ? ByteBuffer.wrap(address.getAddress(), 0, Long.BYTES).getLong()
                : address;
    }
}
