package io.millrace.servlet.security;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about authentication and constraints. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface SecurityLog {

    SecurityLog LOG = new SecurityLog_$logger(Logger.getLogger("io.millrace.servlet.security"));

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

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4800,
            value = "Application \"%s\": URL pattern %s has a constraint that does not cover these HTTP methods,"
                    + " which are denied because of <deny-uncovered-http-methods/>: %s")
    void uncoveredMethodsDenied(String application, String pattern, String methods);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4801, value = "Application \"%s\" cannot verify a login: %s")
    void storeUnavailable(String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4802,
            value = "Application \"%s\" refused a Kerberos ticket: %s. Further refusals in this minute are not logged")
    void tokenRefused(String application, String reason);
}
