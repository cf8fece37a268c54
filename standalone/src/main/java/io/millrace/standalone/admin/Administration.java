package io.millrace.standalone.admin;

import io.millrace.servlet.WebApplication;
import io.millrace.standalone.config.ContextName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with the applications of one virtual host while the server runs. Changes are made one after the other.
 * Thread-safe; the methods may block until running requests have ended.
 */
public interface Administration {

    /** The context attribute with it, in applications whose Context has {@code privileged="true"}. */
    String ATTRIBUTE = "io.millrace.standalone.administration";

    /**
     * An application.
     *
     * @param sessions in this server's memory
     * @param docBase its name in appBase, or its path elsewhere
     * @param displayName empty if it has none, or does not run
     * @param load of its requests
     * @param application what runs; null if nothing does
     */
    record Listed(
            ContextName name,
            boolean running,
            int sessions,
            String docBase,
            String displayName,
            Load load,
            @Nullable WebApplication application) {

        /** Its context path, {@code /} for the root. */
        public String path() {
            return name.path().isEmpty() ? "/" : name.path();
        }
    }

    /**
     * The requests of an application since it was started.
     *
     * @param requests that have ended
     * @param median the time that half of them did not exceed
     * @param slow the time that 99 of 100 did not exceed
     * @param since for how long it has been in this state
     */
    record Load(long requests, Duration median, Duration slow, Duration since) {}

    /**
     * The sessions of an application.
     *
     * @param timeoutMinutes of new ones; 0 or less for none
     * @param idleMillis how long each has not been used
     */
    record Idle(int timeoutMinutes, List<Long> idleMillis) {}

    /**
     * What to deploy.
     *
     * @param war a WAR or a directory; null if the file of its Context element names one
     * @param moved whether the WAR may be moved, not copied
     * @param config the file of its Context element; null for none
     */
    record Source(
            @Nullable Path war, boolean moved, @Nullable Path config) {}

    /** The server that has the host. */
    ServerAdministration server();

    /** The name of the virtual host. */
    String host();

    /** The context paths of the applications, empty for the root. Never blocks. */
    Set<String> paths();

    /** The applications, sorted by path and version. Does not wait for changes that are being made. */
    List<Listed> list();

    /** Returns a file that does not exist, for an upload; its directory does. */
    Path upload() throws IOException;

    /** The file in which an uploaded WAR is kept under a tag, whether it exists or not. */
    Path tagged(String tag, ContextName name);

    /** The directory of the host's applications. */
    Path appBase();

    /**
     * Deploys an application. What cannot be an application, by its archive or its descriptors, changes nothing.
     *
     * @param update whether an existing application of this name is replaced; if the new one does not start, the existing one
     *     is in service again
     * @return why it failed to start: it is deployed all the same, or the existing one is in service again; null if it started
     * @throws Refusal if it is not deployed
     */
    @Nullable
    String deploy(ContextName name, Source source, boolean update) throws Refusal;

    /**
     * Stops an application and deletes its files in appBase, its Context file and its work directory.
     *
     * @param grace for running requests; null for the server's
     */
    void undeploy(ContextName name, @Nullable Duration grace) throws Refusal;

    /**
     * Starts an application that was stopped, or failed to start; does nothing if it is running.
     *
     * @return why it failed to start; null if it runs
     */
    @Nullable
    String start(ContextName name) throws Refusal;

    /** Stops an application, until it is started or its files change. */
    void stop(ContextName name) throws Refusal;

    /**
     * Stops and starts an application.
     *
     * @return why it failed to start; null if it runs
     */
    @Nullable
    String reload(ContextName name) throws Refusal;

    Idle sessions(ContextName name) throws Refusal;

    /** Ends the sessions in memory that have not been used for so many minutes, and returns how many. */
    int expire(ContextName name, int minutes) throws Refusal;

    /** The names of the applications that should run and do not. */
    List<String> unavailable();

    /** Why applications get no sessions now: the stores that do not answer. */
    List<String> failingStores();

    /** The context paths of applications that have stopped and whose classes are still in memory. Collects garbage first. */
    List<String> leaks();

    /** The types of the global resources by name. */
    Map<String, String> resources();

    /** An operation that was refused, and changed nothing. */
    final class Refusal extends Exception {

        private static final long serialVersionUID = 1L;

        /** Why. */
        public enum Reason {
            /** There is an application of this name. */
            EXISTS,
            /** There is none. */
            NO_CONTEXT,
            /** It is an element of server.xml. */
            IN_SERVER_XML,
            /** It is the application that administers the others. */
            ITSELF,
            /** The message is no context path. */
            INVALID_NAME,
            /** See the message. */
            OTHER
        }

        private final Reason reason;

        public Refusal(Reason reason) {
            this(reason, reason.toString());
        }

        /** @param message for the operator */
        public Refusal(Reason reason, String message) {
            super(message);
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }
    }
}
