package io.millrace.servlet.identity;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What the stores tell the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface IdentityLog {

    IdentityLog LOG = new IdentityLog_$logger(Logger.getLogger("io.millrace.servlet.identity"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 3403, value = "User \"%s\" is locked for %d s after %d failed logins")
    void lockedOut(String name, long seconds, int failures);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 3404,
            value =
                    "More than %d names with failed logins: locked names are being forgotten. Somebody may be trying names")
    void lockOutOverflows(int names);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4820,
            value =
                    "A password is kept as a bcrypt hash, and there is no library to check it: put %s on the class path."
                            + " Until then its user can't log in")
    void noBcrypt(String library);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4821, value = "The users in %s were read anew: %d of them")
    void usersReadAnew(String file, int users);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4822, value = "The changed users file can't be used, those read before stay: %s")
    void usersNotReadAnew(String reason);
}
