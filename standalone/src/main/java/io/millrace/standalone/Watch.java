package io.millrace.standalone;

import io.millrace.Server;

/** A background task that runs as long as a server. */
interface Watch extends AutoCloseable {

    /** Does nothing. */
    Watch NONE = new Watch() {

        @Override
        public void start(Server server) {}

        @Override
        public void close() {}
    };

    /** Starts, after the server has started. */
    void start(Server server);

    /** Stops, before the server is stopped. */
    @Override
    void close();
}
