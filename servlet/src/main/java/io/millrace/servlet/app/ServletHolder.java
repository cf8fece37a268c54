package io.millrace.servlet.app;

import io.millrace.exchange.Outcome;
import io.millrace.exchange.RoutePrediction;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.security.RunAs;
import io.millrace.servlet.upgrade.UpgradePoint;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.servlet.Servlet;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A servlet's configuration and its instance, created and initialized on first use (Servlet 3.1, 2.3). If {@code init} fails, the
 * next request tries again, unless the servlet is permanently unavailable. Thread-safe.
 */
public final class ServletHolder implements ServletConfig {

    private final ServletModel model;
    private final Instances instances;
    private final ServletContext context;
    private final @Nullable Class<? extends Servlet> type;
    private final boolean given;
    private final ReentrantLock lock = new ReentrantLock();
    private final Figures figures = new Figures();
    private final RoutePrediction.ByMethod predictions = new RoutePrediction.ByMethod();

    /** Created, possibly not initialized. Guarded by the lock. */
    private @Nullable Servlet instance;

    /** {@link #instance} is initialized, but temporarily unavailable. Guarded by the lock. */
    private boolean paused;

    /** Initialized and in service. */
    private volatile @Nullable Servlet ready;

    /** Whether it may open tunnels; null until a request asks for one. */
    private volatile @Nullable Boolean upgrading;

    /** Why it is unavailable. Guarded by the lock. */
    private @Nullable UnavailableException outOfService;

    private long outUntil;

    public ServletHolder(
            ServletModel model,
            Instances instances,
            ServletContext context,
            @Nullable Class<? extends Servlet> type,
            @Nullable Servlet instance) {
        this.model = model;
        this.instances = instances;
        this.context = context;
        this.type = type;
        this.instance = instance;
        this.given = instance != null;
    }

    /** Another servlet of this class, for a page; shares the instance if this one was added as an instance. */
    public ServletHolder forPage(ServletModel page) {
        page.className = model.className;
        return new ServletHolder(page, instances, context, type, given ? instance : null);
    }

    public ServletModel model() {
        return model;
    }

    /** Whether it was added as a class or an instance. */
    public boolean isGiven() {
        return type != null || given;
    }

    public String name() {
        return model.name;
    }

    /** What its requests came to. */
    public Figures figures() {
        return figures;
    }

    /** How long its requests are expected to take. */
    public RoutePrediction.ByMethod predictions() {
        return predictions;
    }

    /** The servlet, if it is initialized and in service. */
    public @Nullable Servlet inService() {
        return ready;
    }

    /**
     * Whether the client asks for a tunnel that this servlet cannot open. The container's own "default" is asked nevertheless: whether there
     * is such a file.
     */
    boolean isTunnelMissing(ServletRequest request) throws ServletException {
        if (!UpgradePoint.asksForTunnel(request) || model.name.equals("default") && model.className == null) {
            return false;
        }
        Boolean known = upgrading;
        if (known == null) {
            known = UpgradePoint.mayUpgrade(load());
            upgrading = known;
        }
        return !known;
    }

    void service(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        if (model.runAs == null) {
            call(request, response);
            return;
        }
        String before = RunAs.enter(model.runAs);
        try {
            call(request, response);
        } finally {
            RunAs.leave(before);
        }
    }

    @SuppressWarnings("deprecation") // the specification still guarantees one thread at a time to SingleThreadModel
    private void call(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        Servlet servlet = ready;
        if (servlet == null) {
            servlet = load();
        }
        try {
            if (servlet instanceof javax.servlet.SingleThreadModel) {
                lock.lock();
                try {
                    servlet.service(request, response);
                } finally {
                    lock.unlock();
                }
            } else {
                servlet.service(request, response);
            }
        } catch (UnavailableException e) {
            takeOut(e);
            throw e;
        }
    }

    /** Returns the servlet, created and initialized if necessary. */
    public Servlet load() throws ServletException {
        lock.lock();
        try {
            Servlet servlet = ready;
            if (servlet == null) {
                refuseWhileOut();
                long begin = System.nanoTime();
                servlet = initialized();
                figures.loadNanos = System.nanoTime() - begin;
                ready = servlet;
            }
            return servlet;
        } finally {
            lock.unlock();
        }
    }

    private Servlet initialized() throws ServletException {
        if (!model.enabled) {
            throw new UnavailableException("servlet " + model.name + " is disabled by its deployment descriptor");
        }
        if (instance == null && type == null && model.className == null) { // as in Tomcat
            throw new UnavailableException("servlet " + model.name + " has no class in its deployment descriptor");
        }
        if (paused && instance != null) {
            paused = false;
            return instance;
        }
        if (instance == null) {
            instance = type != null ? instances.make(type) : instances.make(model.className, Servlet.class);
        }
        String before = RunAs.enter(model.runAs);
        try {
            instance.init(this);
            return instance;
        } catch (UnavailableException e) {
            takeOut(e);
            throw e;
        } catch (ServletException | RuntimeException | Error e) {
            if (!given) {
                instances.releaseMade(instance);
                instance = null; // init is not called again on an instance whose init failed
            }
            throw e;
        } finally {
            RunAs.leave(before);
        }
    }

    private void refuseWhileOut() throws UnavailableException {
        UnavailableException reason = outOfService;
        if (reason == null) {
            return;
        }
        if (reason.isPermanent()) {
            throw reason;
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(outUntil - System.nanoTime());
        if (seconds > 0) {
            throw new UnavailableException(reason.getMessage(), (int) seconds);
        }
        outOfService = null;
    }

    /** Takes the servlet out of service (Servlet 3.1, 2.3.3.2): permanently, and destroys it, or temporarily. */
    private void takeOut(UnavailableException reason) {
        lock.lock();
        try {
            outOfService = reason;
            outUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(0, reason.getUnavailableSeconds()));
            Servlet servlet = ready;
            if (servlet == null) {
                return;
            }
            ready = null;
            if (reason.isPermanent()) {
                instance = null;
                end(servlet);
            } else {
                instance = servlet;
                paused = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the servlet, after its last request. */
    public void destroy() {
        Servlet servlet = ready;
        ready = null;
        if (servlet != null) {
            String before = RunAs.enter(model.runAs);
            try {
                end(servlet);
            } finally {
                RunAs.leave(before);
            }
        }
    }

    private void end(Servlet servlet) {
        try {
            servlet.destroy();
        } finally {
            instances.releaseMade(servlet);
        }
    }

    @Override
    public String getServletName() {
        return model.name;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return model.initParameters.get(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(model.initParameters.keySet());
    }

    /**
     * Counts the requests that were mapped to a servlet, forwards and includes excluded: a listener of their ends, which one servlet's
     * requests share. Thread-safe.
     */
    public static final class Figures implements Consumer<Outcome> {

        private final LongAdder requests = new LongAdder();
        private final LongAdder errors = new LongAdder();
        private final LongAdder nanos = new LongAdder();
        private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
        private volatile long loadNanos;

        private Figures() {}

        @Override
        public void accept(Outcome outcome) {
            requests.increment();
            nanos.add(outcome.nanos());
            longest.accumulate(outcome.nanos());
            if (outcome.status() >= 400) {
                errors.increment();
            }
        }

        /** Counts a file that was answered on the I/O thread, in too short a time to be measured. */
        public void addFile() {
            requests.increment();
        }

        /** How many requests have ended. */
        public long requests() {
            return requests.sum();
        }

        /** How many of them had a status from 400. */
        public long errors() {
            return errors.sum();
        }

        /** How long they took in all, each from its arrival to the end of its response, in nanoseconds. */
        public long nanos() {
            return nanos.sum();
        }

        /** How long the longest took, in nanoseconds. */
        public long longestNanos() {
            return longest.get();
        }

        /** How long it took to create and initialize the servlet, in nanoseconds; 0 if that has not been done. */
        public long loadNanos() {
            return loadNanos;
        }
    }
}
