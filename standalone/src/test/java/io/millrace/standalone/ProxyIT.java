package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The proxy of the distribution, before backends that are processes of their own. It … */
@Timeout(300)
final class ProxyIT {

    private static final long LARGE = 300L * 1024 * 1024;

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeFiles() throws Exception {
        Path shop = Files.createDirectories(base.resolve("shop"));
        Files.writeString(shop.resolve("hello.txt"), "hello from behind\n");
        try (RandomAccessFile large =
                new RandomAccessFile(shop.resolve("large.bin").toFile(), "rw")) {
            large.setLength(LARGE);
        }
    }

    private Product backend(String... options) throws Exception {
        String[] words = new String[options.length + 3];
        words[0] = "run";
        words[1] = "--port=0";
        System.arraycopy(options, 0, words, 2, options.length);
        words[words.length - 1] = base.resolve("shop").toString();
        return Product.serving(words);
    }

    private static String address(Product backend) {
        return "http://127.0.0.1:" + backend.ports().get(0);
    }

    @Test
    void isAnElementOfAHost() throws Exception {
        try (Product backend = backend()) {
            Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
            Files.writeString(file, """
                    <Server>
                      <Service name="test">
                        <Connector port="0"/>
                        <Engine name="test" defaultHost="localhost">
                          <Host name="localhost" appBase="webapps">
                            <Proxy path="/shop" backends="%s"/>
                          </Host>
                        </Engine>
                      </Service>
                    </Server>
                    """.formatted(address(backend)));
            Path shadowed = Files.createDirectories(base.resolve("webapps/shop"));
            Files.writeString(shadowed.resolve("hello.txt"), "hello from here\n");
            try (Product check = Product.launch("check", file.toString())) {
                check.exitStatus();
                check.awaitLine("host localhost: /shop/ by a proxy to");
                check.awaitLine("  " + address(backend) + ": HTTP/1.1");
                check.awaitLine("its context path belongs to the Proxy in line 6");
            }
            try (Product product = Product.serving("start", "--base", base.toString())) {
                product.awaitLine("/shop/ proxy to " + address(backend));
                assertEquals("hello from behind\n", Curl.run(product.url("/shop/hello.txt")));
                assertEquals(404, Curl.status(product.url("/other")));
            }
            backend.terminate().exitStatus();
            try (Product check = Product.launch("check", file.toString())) {
                check.exitStatus();
                check.awaitLine(
                        "server.xml:6: warning: the backend " + address(backend) + " cannot be connected to now");
            }
        }
    }

    @Test
    void passesLargeFilesThrough() throws Exception {
        try (Product backend = backend();
                Product proxy = Product.serving("proxy", "--port=0", address(backend))) {
            String size = Curl.run("-o", "/dev/null", "-w", "%{size_download}", proxy.url("/shop/large.bin"));
            assertEquals(LARGE, Long.parseLong(size.strip()));
        }
    }

    @Test
    void passesLargeUploadsThrough() throws Exception {
        Path file = base.resolve("upload.txt");
        Files.writeString(file, "x".repeat(20_000_000));
        Path root = Files.copy(Product.EXAMPLES, base.resolve("ROOT.war"));
        try (Product backend = Product.serving("run", "--port=0", root.toString());
                Product proxy = Product.serving("proxy", "--port=0", address(backend))) {
            String answer = Curl.run("-F", "file=@" + file, proxy.url("/upload"));
            assertTrue(answer.contains("size=20000000"), answer);
        }
    }
}
