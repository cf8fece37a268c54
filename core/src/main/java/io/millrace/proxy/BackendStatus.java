package io.millrace.proxy;

/**
 * What a backend is doing at a moment.
 *
 * @param backend as it was configured, without its parameters
 * @param state whether it gets requests
 * @param running requests that it has now
 * @param connections to it, open or being opened; without those of health checks
 * @param waiting requests that wait for one of them
 */
public record BackendStatus(String backend, BackendState state, int running, int connections, int waiting) {}
