package io.millrace.testkit;

import static io.millrace.testkit.ProxyHarness.GET;

import io.millrace.testkit.ProxyHarness.Peer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that send sequential requests, on keep-alive connections. */
final class ProxyLoad {

    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    ProxyLoad(int clients, Callable<Peer> client) {
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(() -> send(client), "client " + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void send(Callable<Peer> connect) {
        try {
            while (!ended && failures.isEmpty()) {
                try (Peer peer = connect.call()) {
                    sendBy(peer);
                }
            }
        } catch (Exception broken) {
            failures.add(broken.toString());
        }
    }

    /** Sends requests until the proxy ends the connection, as it does after a number of requests. */
    private void sendBy(Peer peer) throws IOException {
        String head = "";
        while (!ended && !head.contains("Connection: close")) {
            head = peer.send(GET).head();
            if (!head.startsWith("HTTP/1.1 200 ")) {
                failures.add(head);
                return;
            }
            String word = new String(peer.socket().getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            answers.computeIfAbsent(word, any -> new AtomicInteger()).incrementAndGet();
        }
    }

    int answers(String word) {
        AtomicInteger known = answers.get(word);
        return known == null ? 0 : known.get();
    }

    boolean hasFailed() {
        return !failures.isEmpty();
    }

    List<String> end() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return failures;
    }
}
