package io.millrace.standalone.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conf/logging.properties … */
final class LoggingFileTest {

    @TempDir
    private Path base = Path.of("");

    private List<String> problems(String content) throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/logging.properties"), content);
        Problems problems = new Problems("logging.properties");
        LoggingFile.check(base, problems);
        return problems.inOrder().stream().map(Problem::text).toList();
    }

    @Test
    void isGoodAsTomcatShipsIt() throws IOException {
        assertEquals(List.of(), problems("""
                handlers = 1catalina.org.apache.juli.AsyncFileHandler, 2localhost.org.apache.juli.AsyncFileHandler, java.util.logging.ConsoleHandler
                .handlers = 1catalina.org.apache.juli.AsyncFileHandler, java.util.logging.ConsoleHandler
                1catalina.org.apache.juli.AsyncFileHandler.level = ALL
                1catalina.org.apache.juli.AsyncFileHandler.directory = ${catalina.base}/logs
                1catalina.org.apache.juli.AsyncFileHandler.prefix = catalina.
                1catalina.org.apache.juli.AsyncFileHandler.maxDays = 90
                1catalina.org.apache.juli.AsyncFileHandler.encoding = UTF-8
                java.util.logging.ConsoleHandler.level = ALL
                java.util.logging.ConsoleHandler.formatter = org.apache.juli.OneLineFormatter
                org.apache.catalina.core.ContainerBase.[Catalina].[localhost].level = INFO
                org.apache.catalina.core.ContainerBase.[Catalina].[localhost].handlers = 2localhost.org.apache.juli.AsyncFileHandler
                """));
    }

    @Test
    void reportsWhatHasNoEffect() throws IOException {
        Files.writeString(base.resolve("file"), "");
        assertEquals(
                List.of(
                        "a.level=LOUD: expected SEVERE, WARNING, INFO, CONFIG, FINE, FINER, FINEST, ALL or OFF",
                        "org.apache.coyote.http11.level has no effect: the names of this server's loggers begin with io.millrace",
                        "x.formatter: java.lang.String is not a java.util.logging.Formatter",
                        "1shop.com.example.Handler: the class com.example.Handler is not found; name its jar in CLASSPATH,"
                                + " in bin/setenv.sh",
                        "org.apache.juli.FileHandler.directory: " + base.resolve("file")
                                + " is not a directory; its log messages are lost"),
                problems("""
                        handlers = 1shop.com.example.Handler, org.apache.juli.FileHandler
                        org.apache.juli.FileHandler.directory = file/logs
                        a.level = LOUD
                        org.apache.coyote.http11.level = FINE
                        x.formatter = java.lang.String
                        """));
    }

    @Test
    void reportsSizesAndCountsThatAreNone() throws IOException {
        assertEquals(
                List.of(
                        "org.apache.juli.FileHandler.limit=10m: expected a number from 0 to 2147483647; it is ignored",
                        "org.apache.juli.FileHandler.count=-2: expected a number from 0 to 2147483647; it is ignored"),
                problems("""
                        handlers = org.apache.juli.FileHandler
                        org.apache.juli.FileHandler.limit = 10m
                        org.apache.juli.FileHandler.count = -2
                        org.apache.juli.FileHandler.maxDays = -1
                        """));
    }
}
