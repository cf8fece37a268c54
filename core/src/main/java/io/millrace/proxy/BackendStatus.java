package io.millrace.proxy;

/**
 * The current state of a backend.
 *
 * @param backend as configured, without parameters
 * @param state whether it gets requests
 * @param running the number of its current requests
 * @param connections the number of connections to it, open or being opened; without those of health checks
 * @param waiting the number of requests that are waiting for one of them
 * @param limited the number of requests, since the start, that had to wait because of {@link ProxyOptions#CLIENT_SHARE}
 */
public record BackendStatus(
        String backend, BackendState state, int running, int connections, int waiting, long limited) {}
