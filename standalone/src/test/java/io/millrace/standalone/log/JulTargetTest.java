package io.millrace.standalone.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.jboss.logging.Logger.Level;
import org.junit.jupiter.api.Test;

/** A line of the server in java.util.logging … */
final class JulTargetTest {

    private static final String NAME = "io.millrace.standalone.log.JulTargetTest.lines";

    private static final class Recorder extends Handler {

        private String source = "";

        @Override
        public void publish(LogRecord line) {
            source = line.getSourceClassName() + "." + line.getSourceMethodName();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static void write() {
        JulTarget.of(NAME).write(Level.WARN, JulTarget.class.getName(), "said", null);
    }

    @Test
    void namesTheMethodThatLoggedItEvenInALambda() {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger(NAME);
        Recorder recorder = new Recorder();
        logger.addHandler(recorder);
        try {
            write();
            assertEquals(JulTargetTest.class.getName() + ".write", recorder.source);
            List.of("once")
                    .forEach(each -> JulTarget.of(NAME).write(Level.WARN, JulTarget.class.getName(), each, null));
            assertEquals(JulTargetTest.class.getName() + ".namesTheMethodThatLoggedItEvenInALambda", recorder.source);
        } finally {
            logger.removeHandler(recorder);
        }
    }
}
