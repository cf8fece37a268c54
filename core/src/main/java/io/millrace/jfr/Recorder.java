package io.millrace.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Reports to Java's flight recorder. Each method that begins something returns null, at no cost but a look at a flag, while no recording
 * wants such events, or if the JVM lacks the module jdk.jfr. Thread-safe.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of events
public final class Recorder {

    private static final boolean AVAILABLE = isAvailable();

    private Recorder() {}

    private static boolean isAvailable() {
        try {
            Class.forName("jdk.jfr.Event", false, Recorder.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError none) {
            return false;
        }
    }

    /**
     * Whether anything has recorded in this JVM. Before, no class of an event may be initialized: the first one initializes the flight
     * recorder, with more than a hundred classes and the descriptions of all events of the JVM.
     */
    private static boolean isInUse() {
        return AVAILABLE && FlightRecorder.isInitialized();
    }

    /** Something that takes time. Written by one thread at a time. */
    public interface Span {

        /**
         * Ends it, and records it if it was long enough.
         *
         * @param subject what it was about: of a handshake the peer, of a backend its address, of a session store its
         *     application
         * @param detail what was done
         * @param result how it ended
         */
        void end(String subject, String detail, String result);
    }

    /** A request in progress. Written by one thread at a time. */
    public interface RequestSpan {

        /** It waits for a thread. */
        void handedOver();

        /** A thread runs its handler. */
        void running();

        /** An application has it. */
        void application(String contextPath);

        /**
         * Ends it, and records it if it was long enough.
         *
         * @param path without the query
         * @param bytes of the body of the response
         */
        void end(String method, String path, int status, String connector, long bytes);
    }

    /** Whether requests are recorded. */
    public static boolean isRecording() {
        return isInUse() && RequestEvent.isWanted();
    }

    /** Begins a request. */
    public static @Nullable RequestSpan request() {
        return isInUse() ? RequestEvent.begun() : null;
    }

    /** Begins a TLS handshake. */
    public static @Nullable Span handshake() {
        return isInUse() ? HandshakeEvent.begun() : null;
    }

    /** Begins a start or stop of an application. */
    public static @Nullable Span deployment() {
        return isInUse() ? DeploymentEvent.begun() : null;
    }

    /** Begins a request to a backend. */
    public static @Nullable Span backendRequest() {
        return isInUse() ? BackendEvent.begun() : null;
    }

    /** Begins a call of a session store. */
    public static @Nullable Span sessionStore() {
        return isInUse() ? StoreEvent.begun() : null;
    }

    /** A client has reached the limit that an attribute sets. */
    public static void limitExceeded(String attribute) {
        if (isInUse()) {
            LimitEvent.record(attribute);
        }
    }

    @Name("io.millrace.Request")
    @Label("Request")
    @Category("Millrace")
    @StackTrace(false)
    @Threshold("20 ms")
    private static final class RequestEvent extends Event implements RequestSpan {

        /** Tells whether such events are wanted, which depends on no state of the object. */
        private static final RequestEvent PROBE = new RequestEvent();

        @Label("Method")
        @Nullable
        String method;

        @Label("Path")
        @Nullable
        String path;

        @Label("Status")
        int status;

        @Label("Application")
        @Nullable
        String application;

        @Label("Connector")
        @Nullable
        String connector;

        @Label("Bytes Sent")
        long bytes;

        @Label("Waited for a Thread")
        @Timespan
        long waited;

        private transient long handedOverAt;

        static boolean isWanted() {
            return PROBE.isEnabled();
        }

        static @Nullable RequestSpan begun() {
            if (!isWanted()) {
                return null;
            }
            RequestEvent event = new RequestEvent();
            event.begin();
            return event;
        }

        @Override
        public void handedOver() {
            handedOverAt = System.nanoTime();
        }

        @Override
        public void running() {
            if (handedOverAt != 0) {
                waited += System.nanoTime() - handedOverAt;
                handedOverAt = 0;
            }
        }

        @Override
        public void application(String contextPath) {
            application = contextPath;
        }

        @Override
        public void end(String ofMethod, String ofPath, int withStatus, String byConnector, long sent) {
            end();
            if (shouldCommit()) {
                method = ofMethod;
                path = ofPath;
                status = withStatus;
                connector = byConnector;
                bytes = sent;
                commit();
            }
        }
    }

    @Name("io.millrace.TlsHandshake")
    @Label("TLS Handshake")
    @Category("Millrace")
    @StackTrace(false)
    private static final class HandshakeEvent extends Event implements Span {

        private static final HandshakeEvent PROBE = new HandshakeEvent();

        @Label("Peer")
        @Nullable
        String peer;

        @Label("Protocol")
        @Nullable
        String protocol;

        @Label("Result")
        @Nullable
        String result;

        static @Nullable Span begun() {
            if (!PROBE.isEnabled()) {
                return null;
            }
            HandshakeEvent event = new HandshakeEvent();
            event.begin();
            return event;
        }

        @Override
        public void end(String subject, String detail, String how) {
            end();
            peer = subject;
            protocol = detail;
            result = how;
            commit();
        }
    }

    @Name("io.millrace.Deployment")
    @Label("Deployment")
    @Category("Millrace")
    @StackTrace(false)
    private static final class DeploymentEvent extends Event implements Span {

        private static final DeploymentEvent PROBE = new DeploymentEvent();

        @Label("Application")
        @Nullable
        String application;

        @Label("Action")
        @Nullable
        String action;

        @Label("Result")
        @Nullable
        String result;

        static @Nullable Span begun() {
            if (!PROBE.isEnabled()) {
                return null;
            }
            DeploymentEvent event = new DeploymentEvent();
            event.begin();
            return event;
        }

        @Override
        public void end(String subject, String detail, String how) {
            end();
            application = subject;
            action = detail;
            result = how;
            commit();
        }
    }

    @Name("io.millrace.BackendRequest")
    @Label("Backend Request")
    @Category("Millrace")
    @StackTrace(false)
    @Threshold("20 ms")
    private static final class BackendEvent extends Event implements Span {

        private static final BackendEvent PROBE = new BackendEvent();

        @Label("Backend")
        @Nullable
        String backend;

        @Label("Request")
        @Nullable
        String request;

        @Label("Result")
        @Nullable
        String result;

        static @Nullable Span begun() {
            if (!PROBE.isEnabled()) {
                return null;
            }
            BackendEvent event = new BackendEvent();
            event.begin();
            return event;
        }

        @Override
        public void end(String subject, String detail, String how) {
            end();
            backend = subject;
            request = detail;
            result = how;
            commit();
        }
    }

    @Name("io.millrace.SessionStore")
    @Label("Session Store")
    @Category("Millrace")
    @StackTrace(false)
    @Threshold("20 ms")
    private static final class StoreEvent extends Event implements Span {

        private static final StoreEvent PROBE = new StoreEvent();

        @Label("Application")
        @Nullable
        String application;

        @Label("Operation")
        @Nullable
        String operation;

        @Label("Result")
        @Nullable
        String result;

        static @Nullable Span begun() {
            if (!PROBE.isEnabled()) {
                return null;
            }
            StoreEvent event = new StoreEvent();
            event.begin();
            return event;
        }

        @Override
        public void end(String subject, String detail, String how) {
            end();
            application = subject;
            operation = detail;
            result = how;
            commit();
        }
    }

    @Name("io.millrace.LimitExceeded")
    @Label("Limit Exceeded")
    @Category("Millrace")
    @StackTrace(false)
    private static final class LimitEvent extends Event {

        private static final LimitEvent PROBE = new LimitEvent();

        @Label("Attribute")
        @Nullable
        String limit;

        static void record(String attribute) {
            if (PROBE.isEnabled()) {
                LimitEvent event = new LimitEvent();
                event.limit = attribute;
                event.commit();
            }
        }
    }
}
