package io.millrace.servlet;

import io.millrace.exchange.HttpHandler;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The access logs of one application, open while it runs. */
record ApplicationLogs(List<AccessLog> logs) implements AutoCloseable {

    /** Opens all of them; if one cannot be opened, closes the others. */
    static ApplicationLogs open(List<AccessLogBuilder> builders) throws IOException {
        ApplicationLogs opened = new ApplicationLogs(new ArrayList<>());
        try {
            for (AccessLogBuilder builder : builders) {
                opened.logs.add(builder.open());
            }
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    HttpHandler wrap(HttpHandler application) {
        HttpHandler logged = application;
        for (AccessLog log : logs) {
            logged = log.wrap(logged);
        }
        return logged;
    }

    @Override
    public void close() {
        logs.forEach(AccessLog::close);
    }
}
