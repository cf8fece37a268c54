package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.Dispatcher;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first table of {@code docs/design/ends.md}: a client's ends in each state of a connection, and what follows on each protocol.
 * {@link Row#check} makes the end happen and compares.
 */
final class EndsTable {

    /** The states, as the page names them. */
    static final List<String> STATES = List.of(
            "idle",
            "part of a head",
            "body awaited",
            "suspended",
            "suspended, body unread",
            "handler running",
            "response blocked");

    /** The ends; the last two are possible with TLS only. */
    static final List<String> ENDS = List.of("FIN", "RST", "close_notify only", "FIN without close_notify");

    private static final String PAGE = "docs/design/ends.md";

    private EndsTable() {}

    /** The text of the page. */
    static String page() throws IOException {
        for (Path root = Path.of("").toAbsolutePath(); root != null; root = root.getParent()) {
            if (Files.exists(root.resolve(PAGE))) {
                return Files.readString(root.resolve(PAGE));
            }
        }
        throw new IOException(PAGE + " is in no parent directory");
    }

    /** Its rows, in order. */
    static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : page().lines().toList()) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 7 && STATES.contains(cells[1].strip())) {
                rows.add(new Row(
                        cells[1].strip(),
                        cells[2].strip(),
                        List.of(cells[3].strip(), cells[4].strip(), cells[5].strip())));
            }
        }
        return rows;
    }

    /** Makes a connection to a server. */
    interface Connector {
        ContractClient connect(Dispatcher server) throws Exception;
    }

    /**
     * A row.
     *
     * @param cells what follows: on HTTP/1.1, on AJP, and on HTTP/2 and SPDY
     */
    record Row(String state, String end, List<String> cells) {

        /** Whether it is possible with TLS only. */
        boolean isOfTls() {
            return ENDS.indexOf(end) > 1;
        }

        /** Makes it happen on a new connection. */
        void check(Connector connector, int large) throws Exception {
            ContractServer server = new ContractServer();
            ContractClient client = connector.connect(server);
            enter(client, server, large);
            String cell = cell(client, server.mayBlock());
            end(client);
            assertEquals(cell, follows(client, server, cell.startsWith("told")), this::toString);
        }

        private String cell(ContractClient client, boolean blocking) {
            int column = client instanceof Http1ContractClient ? 0 : client instanceof AjpContractClient ? 1 : 2;
            String[] both = cells.get(column).split("; bio: ", -1);
            return both[blocking ? both.length - 1 : 0];
        }

        private void enter(ContractClient client, ContractServer server, int large) throws Exception {
            client.send(ContractRequest.of("GET", "/hello"));
            client.receive();
            switch (state) {
                case "part of a head" -> client.link().send(client.beginOfRequest());
                case "body awaited" -> {
                    client.send(ContractRequest.of("POST", "/echo")
                            .withBody(new byte[3000], true)
                            .expectingContinue());
                    server.awaitReader();
                }
                case "suspended" -> client.send(ContractRequest.of("GET", "/late"));
                case "suspended, body unread" ->
                    client.send(ContractRequest.of("POST", "/late").withBody(new byte[3000], true));
                case "handler running" -> client.send(ContractRequest.of("GET", "/busy"));
                case "response blocked" -> {
                    client.pause();
                    client.send(ContractRequest.of("GET", "/stream?" + large));
                    server.awaitBlocked();
                }
                default -> {}
            }
            if (isAnsweredLater()) {
                server.awaitDeferred();
            }
        }

        private boolean isAnsweredLater() {
            return state.startsWith("suspended") || state.equals("handler running");
        }

        private void end(ContractClient client) throws Exception {
            switch (end) {
                case "FIN" -> client.finish();
                case "RST" -> client.breakOff();
                case "close_notify only" -> ((TlsLink) client.link()).notifyOfEnd();
                default -> ((TlsLink) client.link()).finishWithoutNotice();
            }
        }

        /** The words of the cell. */
        private String follows(ContractClient client, ContractServer server, boolean telling) throws Exception {
            List<String> words = new ArrayList<>();
            if (telling) {
                Deadline.await("the exchange to be notified", () -> server.failure() != null);
            }
            if (server.failure() != null) {
                words.add("told");
            } else if (isAnsweredLater()) {
                server.runLater();
            }
            if (end.equals("RST")) {
                client.checkNothingHeld();
                words.add("freed");
            } else {
                words.addAll(received(client));
                client.checkNothingHeld();
            }
            return String.join(", ", words);
        }

        private List<String> received(ContractClient client) throws Exception {
            List<String> words = new ArrayList<>();
            if (!state.equals("idle") && !state.equals("part of a head")) {
                words.add(response(client));
            }
            while (!client.awaitEnd()) {
                if (!words.contains("refused")) {
                    words.add("refused");
                }
            }
            words.add("closed");
            return words;
        }

        private static String response(ContractClient client) throws Exception {
            try {
                return client.receive().complete() ? "answered" : "broken";
            } catch (EOFException nothing) {
                return "broken";
            }
        }
    }
}
