package com.example.events;

import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.EventStream;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.handler.ServerEvent;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalTime;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A clock that the server tells to all who listen, as server-sent events. */
public final class Events {

    private Events() {}

    // tag::events
    private static final Set<EventStream> LISTENERS = ConcurrentHashMap.newKeySet();

    /** Told by a thread of the program, to all listeners. */
    static void tell(String text) {
        ServerEvent event = ServerEvent.of(text).named("time");
        for (EventStream listener : LISTENERS) {
            if (!listener.send(event)) {
                listener.close(); // too slow: its browser comes back
            }
        }
    }

    static Server start(int port) throws IOException {
        byte[] page = page();
        NonBlockingHandler listen = exchange -> { // no thread waits for it
            EventStream listener = EventStream.open(exchange);
            LISTENERS.add(listener);
            listener.onClose(() -> LISTENERS.remove(listener));
        };
        PathRouter router = PathRouter.builder()
                .exact("/", exchange -> Responses.bytes(exchange, 200, "text/html;charset=utf-8", page))
                .exact("/events", listen)
                .build();
        return Server.builder().port(port).handler(router).start();
    }
    // end::events

    private static byte[] page() throws IOException {
        try (InputStream page = Objects.requireNonNull(Events.class.getResourceAsStream("index.html"))) {
            return page.readAllBytes();
        }
    }

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
        System.out.println("http://localhost:" + server.port() + "/");
        Executors.newSingleThreadScheduledExecutor()
                .scheduleAtFixedRate(() -> tell(LocalTime.now().toString()), 0, 1, TimeUnit.SECONDS);
        server.awaitStop();
    }
}
