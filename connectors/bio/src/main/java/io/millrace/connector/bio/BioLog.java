package io.millrace.connector.bio;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface BioLog {

    BioLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), BioLog.class, "io.millrace.connector.bio");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 703, value = "%s can wait for its clients no more, so its connections are closed")
    void watcherEnded(String name, @Cause Throwable thrown);
}
