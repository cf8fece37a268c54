package io.millrace;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** An application that records its start and stop; one whose path contains "bad" fails to start. */
record JournalApplication(Journal journal, String contextPath) implements Application {

    @Override
    public HttpHandler start(ServerContext server) {
        journal.add("start " + contextPath);
        if (contextPath.contains("bad")) {
            throw new IllegalStateException("not today");
        }
        return (NonBlockingHandler) exchange -> exchange.response().status(204);
    }

    @Override
    public void stop() {
        journal.add("stop " + contextPath);
        if (contextPath.contains("grumpy")) {
            throw new IllegalStateException("never");
        }
    }
}
