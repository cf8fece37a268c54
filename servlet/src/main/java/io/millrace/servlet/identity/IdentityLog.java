package io.millrace.servlet.identity;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the identity stores. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface IdentityLog {

    IdentityLog LOG = new IdentityLog_$logger(Logger.getLogger("io.millrace.servlet.identity"));

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
}
