package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WAR of Jolokia, of which nobody here wrote a line, … */
@Tag("wars")
final class JolokiaIT {

    private static final String USERS = """
            <tomcat-users>
              <role rolename="jolokia"/>
              <user username="ada" password="lovelace" roles="jolokia"/>
              <user username="bob" password="bob" roles="other"/>
            </tomcat-users>
            """;

    @Test
    void answersReadRequestsOfThoseInItsRole(@TempDir Path directory) throws Exception {
        Path users = Files.writeString(directory.resolve("users.xml"), USERS);
        try (Product product = Product.process()
                .serving("run", "--port=0", "--address=127.0.0.1", "--users=" + users, Product.JOLOKIA.toString())) {
            String base = product.url("/jolokia-war-1.7.2/");
            assertEquals(401, Curl.status(base + "version"));
            assertEquals(401, Curl.status("-u", "ada:wrong", base + "version"));
            assertEquals(403, Curl.status("-u", "bob:bob", base + "version"));

            String version = Curl.run("-u", "ada:lovelace", base + "version");
            // 1.7.2 says that it is 1.7.1
            assertTrue(version.contains("\"agent\":\"1.7."), version);

            String read = Curl.run("-u", "ada:lovelace", base + "read/java.lang:type=Memory/HeapMemoryUsage");
            assertTrue(read.contains("\"used\":"), read);

            String posted = Curl.run(
                    "-u",
                    "ada:lovelace",
                    "-H",
                    "Content-Type: application/json",
                    "-d",
                    "{\"type\":\"read\",\"mbean\":\"java.lang:type=Runtime\",\"attribute\":\"SpecVersion\"}",
                    base);
            assertTrue(posted.contains("\"status\":200"), posted);
        }
    }
}
