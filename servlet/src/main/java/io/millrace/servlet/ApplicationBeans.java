package io.millrace.servlet;

import io.millrace.jmx.Bean;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.naming.NamedPool;
import io.millrace.servlet.session.SessionStatistics;
import io.millrace.servlet.session.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of a running application, with the names and attributes of Tomcat's.
 *
 * @param host the name of the virtual host
 * @param path the context path
 * @param docBase what it was read from
 * @param pools those that it looks up by name
 * @param began when its start began, in milliseconds since 1970
 * @param startMillis how long its start took
 * @param nameOf the full names of beans
 * @param reload reloads it; null if nobody can
 */
record ApplicationBeans(
        String host,
        String path,
        String version,
        String docBase,
        Sessions sessions,
        List<ServletHolder> servlets,
        List<NamedPool> pools,
        long began,
        long startMillis,
        Function<Bean, @Nullable String> nameOf,
        @Nullable Runnable reload) {

    /** All of them, new at each call. */
    List<Bean> all() {
        List<Bean> beans = new ArrayList<>();
        List<Bean> ofServlets = servlets.stream().map(this::servlet).toList();
        beans.add(manager());
        beans.add(module(ofServlets));
        beans.addAll(ofServlets);
        pools.forEach(pool -> beans.add(pool(pool)));
        return beans;
    }

    /** As in Tomcat, with the version, and a slash for the root. */
    private String context() {
        return (path.isEmpty() ? "/" : path) + (version.isEmpty() ? "" : "##" + version);
    }

    private String moduleName() {
        return "//" + host + context();
    }

    private Bean manager() {
        SessionStatistics counted = sessions.statistics();
        return Bean.of("The sessions of an application", "type", "Manager", "host", host, "context", context())
                .attribute("activeSessions", Integer.class, "sessions in this server's memory", sessions::count)
                .attribute("maxActive", Integer.class, "the most that there were at a time", counted::most)
                .attribute(
                        "maxActiveSessions",
                        Integer.class,
                        "the most that there may be; -1 for any number",
                        sessions::maxActive)
                .attribute("sessionCounter", Long.class, "sessions that were created", counted::created)
                .attribute(
                        "expiredSessions", Long.class, "sessions that have ended, by time or otherwise", counted::ended)
                .attribute("rejectedSessions", Integer.class, "sessions refused because of maxActiveSessions", () ->
                        (int) counted.rejected())
                .attribute(
                        "sessionMaxAliveTime", Integer.class, "seconds that the longest of those ended was there", () ->
                                (int) (counted.longestMillis() / 1000))
                .attribute(
                        "sessionAverageAliveTime",
                        Integer.class,
                        "seconds that those ended were there on average",
                        () -> (int) (counted.meanMillis() / 1000))
                .attribute(
                        "processingTime",
                        Long.class,
                        "milliseconds that looking for expired sessions took",
                        () -> millis(counted.sweepNanos()))
                .attribute(
                        "duplicates", Integer.class, "ids that were there already: none, as they are random", () -> 0)
                .change("expireSession", "ends a session", List.of("sessionId"), id -> {
                    if (!sessions.end(id.get(0))) {
                        throw new IllegalArgumentException("there is no session with this id");
                    }
                    return null;
                });
    }

    private Bean module(List<Bean> ofServlets) {
        Bean bean = Bean.of(
                        "A web application",
                        "j2eeType",
                        "WebModule",
                        "name",
                        moduleName(),
                        "J2EEApplication",
                        "none",
                        "J2EEServer",
                        "none")
                .attribute("path", String.class, "the context path, empty for the root", () -> path)
                .attribute("docBase", String.class, "the WAR or directory", () -> docBase)
                .attribute("stateName", String.class, "STARTED: there is a bean only while it runs", () -> "STARTED")
                .attribute("startupTime", Long.class, "milliseconds that its start took", () -> startMillis)
                .attribute("startTime", Long.class, "when that began, in milliseconds since 1970", () -> began)
                .attribute("webappVersion", String.class, "for parallel deployment; empty without", () -> version)
                .attribute(
                        "servlets",
                        String[].class,
                        "the names of the beans of its servlets",
                        () -> ofServlets.stream().map(nameOf).toArray(String[]::new))
                .attribute(
                        "processingTime",
                        Long.class,
                        "milliseconds that the requests of its servlets took",
                        () -> millis(sum(ServletHolder.Figures::nanos)));
        return reload == null
                ? bean
                : bean.change("reload", "stops and starts it", List.of(), none -> {
                    reload.run();
                    return null;
                });
    }

    private long sum(ToLongFunction<ServletHolder.Figures> figure) {
        return servlets.stream().map(ServletHolder::figures).mapToLong(figure).sum();
    }

    private Bean servlet(ServletHolder servlet) {
        ServletHolder.Figures figures = servlet.figures();
        return Bean.of(
                        "The requests that were mapped to a servlet",
                        "j2eeType",
                        "Servlet",
                        "WebModule",
                        moduleName(),
                        "name",
                        servlet.name(),
                        "J2EEApplication",
                        "none",
                        "J2EEServer",
                        "none")
                .attribute("requestCount", Integer.class, "requests that have ended", () -> (int) figures.requests())
                .attribute("errorCount", Integer.class, "those with a status from 400", () -> (int) figures.errors())
                .attribute(
                        "processingTime",
                        Long.class,
                        "milliseconds that all took, to the end of the response",
                        () -> millis(figures.nanos()))
                .attribute(
                        "maxTime",
                        Long.class,
                        "milliseconds that the longest took",
                        () -> millis(figures.longestNanos()))
                .attribute(
                        "loadTime",
                        Long.class,
                        "milliseconds that creating the servlet took",
                        () -> millis(figures.loadNanos()));
    }

    private Bean pool(NamedPool pool) {
        Supplier<Integer> most = pool::maxTotal;
        return Bean.of(
                        "A database pool; zeros until it is looked up",
                        "type",
                        "DataSource",
                        "host",
                        host,
                        "context",
                        context(),
                        "class",
                        "javax.sql.DataSource")
                .quoted("name", pool.name())
                .attribute("numActive", Integer.class, "connections in use", pool::active)
                .attribute("numIdle", Integer.class, "connections that wait to be used", pool::idle)
                .attribute("maxTotal", Integer.class, "the most connections", most)
                .attribute("maxActive", Integer.class, "the same, for old dashboards", most)
                .attribute("maxIdle", Integer.class, "the most that wait to be used", pool::maxIdle)
                .attribute("initialSize", Integer.class, "connections with which it begins", pool::initialSize);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
