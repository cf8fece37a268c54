package io.millrace.servlet.filter;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of filters; ids 4970 and 4971. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface FilterMessages extends BasicLogger {

    FilterMessages LOG = new FilterMessages_$logger(Logger.getLogger("io.millrace.servlet.filter"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4970, value = "The init-param %s of filter \"%s\" is ignored: the filter has none of this name")
    void parameterIgnored(String parameter, String filter);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4971,
            value = "Filter \"%s\" answers %d to clients that send more than %s in %d s, at present to %s;"
                    + " further messages of this kind are suppressed for a minute")
    void rateLimited(String filter, int status, String requests, int seconds, String client);
}
