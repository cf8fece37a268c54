package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code openssl s_client}: a handshake with a port of this machine, one request over it, and what it says of both. */
final class OpensslClient {

    static final String LOCALHOST = "localhost";

    private final int port;
    private final CertificateAuthority authority;

    OpensslClient(int port, CertificateAuthority authority) {
        this.port = port;
        this.authority = authority;
    }

    /** All it prints when it asks a host for /hello, the answer with it. */
    String hello(String host, String... options) throws Exception {
        return get(host, "/hello", options).output();
    }

    /** It waits until the server has closed. */
    Command get(String host, String path, String... options) throws Exception {
        return ask(host, host, path, options);
    }

    /** The same with one of the authority's certificates. */
    Command getAs(String client, String host, String path, String... more) throws Exception {
        List<String> options = new ArrayList<>();
        options.addAll(List.of("-cert", authority.certificate(client).toString()));
        options.addAll(List.of("-key", authority.key(client).toString()));
        options.addAll(List.of(more));
        return get(host, path, options.toArray(String[]::new));
    }

    /** A handshake that the server ended with an alert. */
    static void assertRefused(Command client) {
        assertFalse(client.output().contains("HTTP/1.1 200"), client.output());
        assertTrue(client.output().contains(":SSL alert number "), client.output());
    }

    /** Asks for another handshake within the connection: all it prints until the server has ended that. */
    String renegotiate(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + port));
        words.addAll(List.of(options));
        Process client = Command.start(words);
        try {
            CompletableFuture<String> output = Command.outputOf(client);
            client.getOutputStream().write("R\n".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            return Deadline.await(output);
        } finally {
            client.destroyForcibly();
        }
    }

    /** The same as {@link #get} with another host in the request than in the handshake. */
    Command ask(String named, String host, String path, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-servername", named));
        words.addAll(List.of("-connect", "127.0.0.1:" + port));
        words.addAll(List.of("-CAfile", authority.root().toString()));
        words.addAll(List.of(options));
        return Command.run("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n", words);
    }
}
