package io.millrace.servlet.deploy;

import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about reading an application; ids 4100 to 4119, shared with the subpackages. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface DeployMessages {

    DeployMessages MESSAGES = new DeployMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4103, value = "Read %s in %d ms: index %d ms, %s, %d cached, %d scanned; unpacked in %d ms")
    void read(Path war, long totalMillis, long indexMillis, String jars, int cached, int scanned, long unpackMillis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4107,
            value =
                    "%s has WebSocket endpoints (%s), but nothing on the server's class path serves them, so they are answered"
                            + " with 404: add the artifact io.millrace:millrace-websocket")
    void noWebSocket(Path war, String example);
}
