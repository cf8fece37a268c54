package io.millrace.micrometer;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the binder; ids 4990 to 4994. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface MicrometerMessages {

    MicrometerMessages LOG = new MicrometerMessages_$logger(Logger.getLogger("io.millrace.micrometer"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4990, value = "Micrometer's registry does not take the metric %s, which is left out there")
    void refused(String name, @Cause Throwable cause);
}
