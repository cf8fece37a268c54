package io.millrace.servlet.log;

import java.nio.file.Path;
import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/**
 * The messages of the servlet layer that an operator may act on, by their ids; docs/guide/log-messages.md lists them. Each part logs with
 * the constant of its category. Those about the content of sessions are in {@code session.SessionLog}.
 */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface ServletLog extends BasicLogger {

    /** Of reading an application, and of what it leaves behind. */
    ServletLog DEPLOY = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    /** Of the start and stop of an application. */
    ServletLog CONTEXT = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.context"));

    /** Of running requests. */
    ServletLog DISPATCH = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.dispatch"));

    /** Of injection. */
    ServletLog INJECT = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.inject"));

    /** Of access control. */
    ServletLog SECURITY = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.security"));

    /** Of users and their passwords. */
    ServletLog IDENTITY = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.identity"));

    /** Of session stores. */
    ServletLog SESSION = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.session"));

    /** Of the filters that Tomcat has. */
    ServletLog FILTER = new ServletLog_$logger(Logger.getLogger("io.millrace.servlet.filter"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 3401,
            value =
                    "Application \"%s\" uses the unsupported login method %s: every resource that requires a"
                            + " login answers 403. Supported are BASIC, DIGEST, FORM (with its two pages), CLIENT-CERT and SPNEGO")
    void loginMethodNotSupported(String application, String method);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 3402,
            value = "Application \"%s\": URL pattern %s has a constraint that does not cover these HTTP methods,"
                    + " which are open to everybody: %s. Add <deny-uncovered-http-methods/> to web.xml to deny them")
    void uncoveredMethods(String application, String pattern, String methods);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 3403, value = "User \"%s\" is locked for %d s after %d failed logins")
    void lockedOut(String name, long seconds, int failures);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 3404,
            value = "More than %d user names have failed logins: the oldest locks are discarded. Somebody"
                    + " may be guessing user names")
    void lockOutOverflows(int names);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4102,
            value = "Class %s uses jakarta.servlet, but other classes in WEB-INF/classes use javax.servlet; only"
                    + " javax.servlet is supported")
    void mixedNamespaces(String className);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4103, value = "Read %s in %d ms: index %d ms, %s, %d cached, %d scanned; unpacked in %d ms")
    void applicationRead(
            Path war, long totalMillis, long indexMillis, String jars, int cached, int scanned, long unpackMillis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4104,
            value = "%s is ignored: such resources are created by Java EE servers; define a <Resource> in"
                    + " META-INF/context.xml or in the server's conf/context.xml instead")
    void resourceOfFullServer(String element);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4105, value = "%s: ignored; <%s> has no such element%s")
    void unknownDescriptorElement(String element, String parent, String suggestion);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4106,
            value =
                    "Skipping the initializer %s of the application's libraries: its WebSocket endpoints are served by the"
                            + " server's own implementation")
    void initializerSkipped(String initializer);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4107,
            value =
                    "%s has WebSocket endpoints (%s), but nothing on the server's class path serves them, so they are answered"
                            + " with 404: add the artifact io.millrace:millrace-websocket")
    void noWebSocket(Path war, String example);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4600, value = "Servlet \"%s\" of application %s threw an exception (reference %s)")
    void servletFailed(String servlet, String application, String reference, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4601, value = "Servlet \"%s\" of application %s is unavailable: %s")
    void servletUnavailable(String servlet, String application, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4602,
            value = "Servlet \"%s\" of application %s failed to initialize; the application continues without it,"
                    + " and each request to it tries again")
    void servletNotLoaded(String servlet, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4603, value = "Error page %s of application %s failed; the default error page is sent instead")
    void errorPageFailed(String page, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4604, value = "%s of application %s threw an exception while it handled an event")
    void requestListenerFailed(String listener, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4605, value = "%s of application %s failed while the application was stopping")
    void stopFailed(String part, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4606,
            value = "Request to application %s rejected with status %s: limit exceeded or malformed content (%s)."
                    + " Further messages of this kind are suppressed for a minute.")
    void limitPassed(String application, int status, String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4800,
            value = "Application \"%s\": URL pattern %s has a constraint that does not cover these HTTP methods,"
                    + " which are denied because of <deny-uncovered-http-methods/>: %s")
    void uncoveredMethodsDenied(String application, String pattern, String methods);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4801, value = "Application \"%s\" cannot verify a login: %s")
    void userStoreUnavailable(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4802,
            value = "Application \"%s\" refused a Kerberos ticket: %s. Further refusals in this minute are not logged")
    void tokenRefused(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4820,
            value = "A password is stored as a bcrypt hash, but no library can verify it: add %s to the class"
                    + " path. Until then its user cannot log in")
    void noBcrypt(String library);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4821, value = "Reloaded users from %s: %d users")
    void usersReloaded(String file, int users);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4822, value = "The changed users file cannot be used, the users loaded before stay in effect: %s")
    void usersNotReloaded(String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4850, value = "Deleted the damaged session file %s; its session is lost: %s")
    void sessionFileDamaged(Path file, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4855, value = "Deleted a damaged session of \"%s\" in the database; it is lost: %s")
    void sessionRowDamaged(String application, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4900, value = "Upgraded connection: handler %s threw an exception; the connection is closed")
    void upgradeFailed(String handler, @Cause Throwable failure);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4950, value = "Skipping filter \"%s\" of application %s, to which nothing is mapped: %s")
    void filterSkipped(String filter, String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4951,
            value = "Listener %s of application %s is never notified: it implements none of the Servlet API's"
                    + " listener interfaces")
    void notAListener(String listener, String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4952, value = "Application %s: %s")
    void servletAbsent(String application, String sentence);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4953,
            value = "Application %s takes no part in single sign-on: its sessions are shared with other servers, which"
                    + " would not learn of a log-out; users log in to it by themselves")
    void noSingleSignOn(String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4954,
            value =
                    "Application %s has JSP pages (%s), but there is no JSP engine on the class path, so they are answered with 500:"
                            + " add the artifact io.millrace:millrace-jsp")
    void noJspEngine(String application, String example);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4955,
            value = "%s requests an injection by %s, which a servlet container does not provide: nothing is"
                    + " injected, and the member keeps its value (usually null)")
    void injectionNotProvided(String where, String how);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4956,
            value = "Cannot read the annotations of class %s because a class it refers to is missing (%s):"
                    + " nothing is injected into it")
    void annotationsUnreadable(String className, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4957, value = "The @PreDestroy method %s threw an exception")
    void preDestroyFailed(String method, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4960,
            value = "%s was stopped but left threads running, which only the application can end; its classes"
                    + " stay in memory until they end: %s")
    void threadsLeft(String application, String threads);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4961,
            value = "%s was stopped but left JDBC drivers registered, which would keep its classes in memory;"
                    + " they have been deregistered: %s")
    void driversLeft(String application, String drivers);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4970, value = "The init-param %s of filter \"%s\" is ignored: the filter has none of this name")
    void filterParameterIgnored(String parameter, String filter);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4971,
            value = "Filter \"%s\" answers %d to clients that send more than %s in %d s, at present to %s;"
                    + " further messages of this kind are suppressed for a minute")
    void rateLimited(String filter, int status, String requests, int seconds, String client);
}
