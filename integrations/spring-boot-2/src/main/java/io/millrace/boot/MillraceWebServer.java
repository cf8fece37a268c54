package io.millrace.boot;

import io.millrace.Server;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;

/** A Millrace server whose application has started; {@link #start} binds its port. Thread-safe. */
public final class MillraceWebServer implements WebServer {

    private final Server.Prepared prepared;
    private final boolean listens;
    private final Shutdown shutdown;
    /** Guarded by this. */
    private @Nullable Server server;

    /**
     * A server that has been prepared.
     *
     * @param listens false for a server without a port
     */
    MillraceWebServer(Server.Prepared prepared, boolean listens, Shutdown shutdown) {
        this.prepared = prepared;
        this.listens = listens;
        this.shutdown = shutdown;
    }

    /**
     * Binds the port.
     *
     * @throws PortInUseException if another socket listens on it, which Spring Boot explains
     */
    @Override
    public synchronized void start() throws WebServerException {
        if (!listens || server != null) {
            return;
        }
        try {
            server = prepared.listen();
        } catch (io.millrace.io.PortInUseException taken) {
            throw new PortInUseException(taken.port(), taken);
        } catch (IOException | RuntimeException e) {
            throw new WebServerException("Millrace does not start: " + e.getMessage(), e);
        }
    }

    /** Stops the server: requests that are running are cut off, unless {@link #shutDownGracefully} has waited for them. */
    @Override
    public synchronized void stop() throws WebServerException {
        Server running = server;
        if (running == null) {
            prepared.close();
        } else {
            running.stop(Duration.ZERO);
        }
    }

    @Override
    public void shutDownGracefully(GracefulShutdownCallback callback) {
        Server running = server();
        if (shutdown == Shutdown.IMMEDIATE || running == null) {
            callback.shutdownComplete(GracefulShutdownResult.IMMEDIATE);
            return;
        }
        running.drain()
                .thenAccept(how -> callback.shutdownComplete(
                        switch (how) {
                            case IDLE -> GracefulShutdownResult.IDLE;
                            case REQUESTS_ACTIVE -> GracefulShutdownResult.REQUESTS_ACTIVE;
                            case IMMEDIATE -> GracefulShutdownResult.IMMEDIATE;
                        }));
    }

    /** The port; 0 before {@link #start}, -1 if it has none. */
    @Override
    public int getPort() {
        Server running = server();
        if (running == null) {
            return listens ? 0 : -1;
        }
        return running.port();
    }

    /** The server; null before {@link #start}, and without a port. */
    public synchronized @Nullable Server server() {
        return server;
    }
}
