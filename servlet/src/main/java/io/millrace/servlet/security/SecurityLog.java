package io.millrace.servlet.security;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What security tells the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface SecurityLog {

    SecurityLog LOG = new SecurityLog_$logger(Logger.getLogger("io.millrace.servlet.security"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 3401,
            value = "Application \"%s\" asks for login method %s, which is not supported: everything that needs a login"
                    + " answers 403. Supported are BASIC, DIGEST, FORM (with its two pages) and CLIENT-CERT")
    void loginMethodNotSupported(String application, String method);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 3402,
            value =
                    "Application \"%s\": URL pattern %s is constrained, but not for these HTTP methods, which are open to"
                            + " everybody: %s. Say deny-uncovered-http-methods in web.xml to close them")
    void uncoveredMethods(String application, String pattern, String methods);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4800,
            value =
                    "Application \"%s\": URL pattern %s is constrained, but not for these HTTP methods, which are denied to"
                            + " everybody, as deny-uncovered-http-methods asks: %s")
    void uncoveredMethodsDenied(String application, String pattern, String methods);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4801, value = "Application \"%s\" can't check a login: %s")
    void storeUnavailable(String application, String reason);
}
