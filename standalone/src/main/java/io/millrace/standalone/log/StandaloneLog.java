package io.millrace.standalone.log;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the standalone server; ids 600 to 619 and 4750 to 4789. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface StandaloneLog {

    /** Of the server, its configuration and its deployments. */
    StandaloneLog SERVER = new StandaloneLog_$logger(Logger.getLogger("io.millrace.standalone"));

    /** What was administered, and by whom. */
    StandaloneLog ADMIN = new StandaloneLog_$logger(Logger.getLogger("io.millrace.standalone.admin"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 601,
            value = "Signal handling for %s is not available in this JVM (%s); the signal will not drain running"
                    + " requests")
    void noSignal(String signal, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 602, value = "%s is not deployed: %s")
    void notDeployed(String docBase, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 603,
            value = "%s does not exist: using the built-in configuration, one connector on port %d and the"
                    + " applications in %s")
    void builtInConfiguration(String file, int port, String appBase);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 604, value = "Stopped")
    void stopped();

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 608, value = "Cannot delete the file of the process id, CATALINA_PID=%s: %s")
    void pidFileNotDeleted(String file, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 609, value = "%s")
    void portNotOpened(String problem);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 610, value = "Created the class archive %s: the next start takes about half the processor time")
    void archiveCreated(String file);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 611,
            value =
                    "There is no class archive for this Java and directory, and %s is not writable for this user: starts"
                            + " take longer. Run 'millrace archive' once as its owner, or set MILLRACE_ARCHIVE=off")
    void archiveNotWritable(String directory);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 612,
            value = "The class archive could not be created in the background: %s. Starts take longer without one; run"
                    + " 'millrace archive' to try again, or set MILLRACE_ARCHIVE=off")
    void archiveNotCreated(String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 613, value = "Administration on %s; %s")
    void adminPort(String address, String who);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 614,
            value =
                    "There is no admin socket, so that the commands (millrace list, deploy, stop) do not reach this server: %s")
    void noAdminSocket(String why);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 616,
            value = "No Connector uses the inherited socket \"%s\" (LISTEN_FDNAMES): its clients get no answer. Add"
                    + " inheritedSocket=\"%s\" to one, or stop the .socket unit")
    void inheritedSocketUnused(String name, String same);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4750, value = "Context of \"%s\": %s")
    void contextProblem(String application, String what);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4751, value = "Sessions of \"%s\" will not survive a restart: %s")
    void sessionsNotKept(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4752,
            value = "Resource \"%s\" is not shared with \"%s\", which gets an instance of its own: only the"
                    + " application contains the classes for it; put their JAR file into the server's lib directory")
    void resourceNotShared(String resource, String application);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4753, value = "The access log in %s is not written: %s")
    void accessLogNotWritten(String where, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4754,
            value =
                    "The work directory %s cannot be used (%s): applications get temporary directories, so that sessions do"
                            + " not survive a restart. Make it writable, or set workDir on Host or Context")
    void workNotWritable(String directory, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4770, value = "Deployed %s at %s")
    void deployed(String docBase, String contextPath);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4771, value = "Undeployed %s from %s because it was deleted")
    void undeployed(String docBase, String contextPath);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4772, value = "%s failed to start at %s; deployment is retried when it changes")
    void deploymentFailed(String docBase, String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4773, value = "Cannot read %s (%s): changes in it are not detected")
    void appBaseUnreadable(String appBase, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4774, value = "Checking %s for changes failed; the check will be repeated")
    void autoDeployFailed(String appBase, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4775, value = "Cannot delete the work directory %s of an undeployed application: %s")
    void workNotDeleted(String directory, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4776, value = "Undeployed %s from %s: there is a later version, and no session is left in this one")
    void oldVersionUndeployed(String docBase, String contextPath);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4777, value = "Cannot delete %s of an old version that was undeployed: %s")
    void oldVersionNotDeleted(String file, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4778,
            value = "Cannot start a thread that checks %s for changes: %s. It is tried again until it works")
    void noThreadForScan(String appBase, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4779, value = "Command %s for [%s] by user %s from %s: %s")
    void commandDone(String command, String path, String user, String address, String answer);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4781, value = "Reloading %s: %s changed")
    void reloading(String application, String files);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4782,
            value =
                    "%s is not reloaded, and its earlier version remains in service: %s. It is tried again when its classes change")
    void notReloaded(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4783, value = "%s is not reloaded when its classes change, because they cannot be listed: %s")
    void notWatched(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4785, value = "The service manager (NOTIFY_SOCKET) could not be told how the server is doing: %s")
    void serviceManagerNotTold(String why);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4786,
            value =
                    "An accept thread or I/O thread has not answered for half the watchdog's time of %d ms: unless it answers, the"
                            + " service manager ends the server")
    void noAnswerToWatchdog(long watchdogMillis);
}
