package io.millrace.websocket.jsr.client;

import io.millrace.websocket.client.ClientRuntime;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all clients in this process, started with the first client and never ended. They are daemon threads, so that
 * open sessions do not keep the JVM running.
 */
final class SharedRuntime {

    private static final String NAME = "websocket-client";

    private static @Nullable ClientRuntime started;

    private SharedRuntime() {}

    static synchronized ClientRuntime get() throws DeploymentException {
        ClientRuntime known = started;
        if (known == null) {
            known = start();
            started = known;
        }
        return known;
    }

    /** Starts the threads on a thread that inherits nothing from the first application: new threads inherit from their creator. */
    private static ClientRuntime start() throws DeploymentException {
        FutureTask<ClientRuntime> task = new FutureTask<>(() -> ClientRuntime.start(NAME));
        Thread starter = new Thread(null, task, NAME + "-start", 0, false);
        starter.setDaemon(true);
        starter.setContextClassLoader(SharedRuntime.class.getClassLoader());
        starter.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeploymentException("interrupted while the threads of WebSocket clients were started", e);
        } catch (ExecutionException e) {
            Throwable why = e.getCause() instanceof IOException || e.getCause() instanceof IllegalStateException
                    ? e.getCause()
                    : e;
            throw new DeploymentException(
                    "the threads of WebSocket clients cannot be started: " + why.getMessage(), why);
        }
    }
}
