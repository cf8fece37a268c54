package io.millrace.standalone;

import io.millrace.Server;

/** What goes on beside a server while it runs. */
interface Watch extends AutoCloseable {

    /** Nothing. */
    Watch NONE = new Watch() {

        @Override
        public void start(Server server) {}

        @Override
        public void close() {}
    };

    /** Begins, on a server that runs. */
    void start(Server server);

    /** Ends, before the server is stopped. */
    @Override
    void close();
}
