package io.millrace.standalone.shootout;

import static io.millrace.tls.TlsClientOptions.VERIFY_HOST_NAME;

import io.millrace.io.ListeningProcesses;
import io.millrace.io.TransportProvider;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.shootout.ShootoutResult.Cell;
import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Setting;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import io.millrace.text.Plural;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.TlsClients;
import io.millrace.tls.material.TlsProviders;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measures: checks what could make that vain, starts a server for each contestant, warms them up, and lets them take turns with each
 * workload and number of clients, forth and back, so that a drift of the machine meets all of them.
 */
public final class Shootout {

    /** A JVM beside its heap, in MiB. */
    private static final int JVM_MEMORY = 96;

    private static final long MEBI = 1024 * 1024;

    /** Of a workload in a pass of the warm-up. */
    private static final Duration WARMING = Duration.ofMillis(500);

    /** Just-in-time compilers that take no more than this part of one processor have compiled what these workloads use. */
    private static final double COMPILED = 0.03;

    /** In a row: compilers also pause between methods that have reached their thresholds. */
    private static final int QUIET_PASSES = 2;

    /** A pass that costs less than this part of the one before was not the last, where compilers cannot be watched. */
    private static final double STEADY = 0.9;

    /** Files that a process has open besides its connections. */
    private static final int OTHER_FILES = 200;

    private static final List<Long> THIS_PROCESS =
            List.of(ProcessHandle.current().pid());

    private final ShootoutOptions options;
    private final PrintWriter out;
    private final List<String> leftOut = new ArrayList<>();
    private final Deque<Integer> ports = new ArrayDeque<>();

    private Shootout(ShootoutOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    /**
     * A contestant's server.
     *
     * @param processes without those that they started; empty if they are unknown
     */
    private record Started(
            Contestant contestant,
            InetSocketAddress address,
            List<Long> processes,
            @Nullable TlsClientEngines tls) {

        LoadGenerator.Target target(Workload workload) {
            return new LoadGenerator.Target(address, workload.path(), tls);
        }
    }

    /**
     * Measures, prints what it found, and writes the files that are asked for; takes minutes.
     *
     * @throws UsageException if an option is not understood
     * @throws OperatorException if nothing can be measured
     */
    public static void run(Arguments arguments, PrintWriter out)
            throws UsageException, OperatorException, InterruptedException {
        Set<String> installed = new TreeSet<>();
        ServiceLoader.load(TransportProvider.class).forEach(provider -> installed.add(provider.name()));
        ShootoutOptions options = ShootoutOptions.of(arguments, installed);
        Shootout shootout = new Shootout(options, out);
        ShootoutResult result = shootout.run();
        Advice advice = Advice.of(result);
        String waiting = Advice.ofWaiting(result);
        ResultTable.print(result, out);
        shootout.write(options.report(), ResultPage.of(result, advice));
        shootout.write(options.json(), ResultJson.of(result, advice));
        if (options.report() == null) {
            out.println("With --report FILE, a page with charts is written.");
        }
        if (!waiting.isEmpty()) {
            out.println(waiting);
        }
        out.println(advice.sentence());
    }

    private void write(@Nullable Path file, String text) throws OperatorException {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new OperatorException("cannot write " + file + ": " + e);
        }
        out.println("Written: " + file);
    }

    private ShootoutResult run() throws OperatorException, InterruptedException {
        Instant began = Instant.now();
        List<Contestant> contestants = contestants();
        checkFiles();
        checkMemory(contestants.size());
        ShootoutOptions.Ports range = options.ports();
        if (range != null) { // those of the servers that wait come after the others
            ports.addAll(range.free(contestants.size() + (options.waiting() > 0 ? 1 : 0)));
        }
        try (Site site = Site.create(options)) {
            try {
                return measure(site, contestants, began);
            } catch (IOException e) {
                throw new OperatorException(
                        site.isClosed() ? "ended before the result" : "cannot measure: " + e.getMessage());
            }
        }
    }

    private List<Contestant> contestants() throws OperatorException {
        List<String> transports = new ArrayList<>();
        for (String transport : options.transports()) {
            String defect = defect(transport);
            if (defect == null) {
                transports.add(transport);
            } else {
                leaveOut(transport + " is left out: " + defect);
            }
        }
        List<Contestant> contestants = new ArrayList<>();
        for (Tls tls : options.tls()) {
            String defect = defect(tls);
            if (defect != null) {
                leaveOut(tls.title() + " is left out: " + defect);
                continue;
            }
            transports.forEach(transport -> contestants.add(Contestant.of(transport, tls)));
        }
        if (contestants.isEmpty()) {
            throw new OperatorException("none of the connectors can be measured here: " + String.join("; ", leftOut));
        }
        return contestants;
    }

    private void leaveOut(String sentence) {
        leftOut.add(sentence);
        out.println(sentence);
    }

    private static @Nullable String defect(String transport) {
        try {
            ServiceLoader.load(TransportProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.name().equals(transport))
                    .forEach(TransportProvider::describe);
            return null;
        } catch (IllegalStateException cannotWork) {
            return cannotWork.getMessage();
        }
    }

    private static @Nullable String defect(Tls tls) {
        try {
            if (tls == Tls.OPENSSL) {
                TlsProviders.describe(TlsImplementation.OPENSSL);
            }
            return null;
        } catch (IllegalStateException cannotWork) {
            return cannotWork.getMessage();
        }
    }

    private void checkFiles() throws OperatorException {
        int most = Math.max(options.waiting(), Collections.max(options.clients()));
        long limit = Processor.openFiles();
        if (most + OTHER_FILES > limit) {
            throw new OperatorException(
                    most + " clients need " + (most + OTHER_FILES) + " open files, and this process may have " + limit
                            + "; raise the limit (ulimit -n), or lower --clients");
        }
    }

    private void checkMemory(int servers) throws OperatorException {
        int beside = options.waiting() > 0 ? 1 : 0;
        long needed = (servers + beside) * (options.heap() + (long) JVM_MEMORY);
        long available = Processor.availableMemory() / MEBI;
        if (available >= 0 && available < needed) {
            throw new OperatorException(
                    Plural.of(servers, "server") + " with a heap of " + options.heap() + " MiB need "
                            + needed + " MiB of memory, and " + available
                            + " MiB are available; measure fewer at a time (--transports nio,nio2, --tls plain), or lower --heap");
        }
    }

    private int port() {
        Integer port = ports.poll();
        return port == null ? 0 : port;
    }

    private ShootoutResult measure(Site site, List<Contestant> contestants, Instant began)
            throws IOException, InterruptedException, OperatorException {
        double idle = Meter.idle(Duration.ofSeconds(1));
        boolean encrypts = contestants.stream().anyMatch(each -> each.tls().isEncrypted());
        TlsClientEngines tls = null;
        if (encrypts) {
            try {
                tls = clients(site.makeCertificate());
            } catch (IOException e) {
                contestants.removeIf(each -> each.tls().isEncrypted());
                leaveOut("TLS is left out: " + e.getMessage());
            }
        }
        out.println(announcement(contestants));
        List<Started> servers = start(site, contestants, tls);
        for (ShootoutOptions.Beside each : options.beside()) {
            servers.add(beside(each, site));
        }
        servers.sort(Comparator.comparing(server -> server.contestant.tls().isEncrypted()));
        for (Started server : servers) {
            for (Workload workload : options.workloads()) {
                check(server, workload);
            }
        }
        warmUp(site, servers);
        Map<Cell, Cell> cells = rounds(site, servers);
        List<Waiting> waiting = List.of();
        if (options.waiting() > 0) {
            out.println("synchronous and asynchronous servlets");
            List<String> transports = options.transports().stream()
                    .filter(each -> servers.stream().anyMatch(server -> each.equals(server.contestant.transport())))
                    .toList();
            waiting = new WaitingRounds(site, length(), options.waiting(), port()).measure(transports, this::leaveOut);
        }
        return new ShootoutResult(
                began,
                Duration.between(began, Instant.now()),
                servers.stream().map(Started::contestant).toList(),
                options.workloads(),
                options.clients(),
                List.copyOf(cells.values()),
                waiting,
                List.copyOf(leftOut),
                idle,
                tls == null ? "" : TlsProviders.describe(TlsImplementation.AUTO),
                settings());
    }

    private Duration length() {
        return Duration.ofSeconds(options.seconds());
    }

    private String announcement(List<Contestant> contestants) {
        int cells = contestants.size()
                * options.workloads().size()
                * options.clients().size();
        double seconds = contestants.size() * (options.warmUp() * 0.7 + 1.5)
                + cells * options.rounds() * (options.seconds() + 0.3)
                + (options.waiting() > 0 ? options.transports().size() * 2 * (options.seconds() * 4 + 3) : 0);
        String names =
                String.join(", ", contestants.stream().map(Contestant::name).toList());
        String time = seconds < 90
                ? Math.round(seconds / 10 + 0.5) * 10 + " seconds"
                : Math.round(seconds / 60 + 0.5) + " minutes";
        return "Measuring " + names + ": about " + time + ". Ctrl-C ends it.";
    }

    private List<Started> start(Site site, List<Contestant> contestants, @Nullable TlsClientEngines tls)
            throws IOException, InterruptedException, OperatorException {
        List<Started> servers = new ArrayList<>();
        for (int i = 0; i < contestants.size(); i += Processor.count()) { // as many at a time as there are processors
            List<Contestant> some = contestants.subList(i, Math.min(contestants.size(), i + Processor.count()));
            List<ServerProcess> processes = new ArrayList<>();
            for (Contestant contestant : some) {
                processes.add(site.start(contestant, port()));
            }
            for (int j = 0; j < some.size(); j++) {
                servers.add(started(some.get(j), processes.get(j), tls));
            }
        }
        return servers;
    }

    private static Started started(Contestant contestant, ServerProcess process, @Nullable TlsClientEngines tls)
            throws InterruptedException, OperatorException {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), process.awaitPort());
            return new Started(
                    contestant,
                    address,
                    List.of(process.pid()),
                    contestant.tls().isEncrypted() ? tls : null);
        } catch (IOException e) {
            throw new OperatorException("the server of " + contestant.name() + " did not start:\n" + e.getMessage());
        }
    }

    /** A server that runs already. */
    private static Started beside(ShootoutOptions.Beside beside, Site site) throws OperatorException {
        URI origin = beside.origin();
        boolean isEncrypted = origin.getScheme().equals("https");
        int port = origin.getPort() >= 0 ? origin.getPort() : isEncrypted ? 443 : 80;
        Contestant contestant = new Contestant(beside.name(), null, isEncrypted ? Tls.OTHER : Tls.PLAIN);
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(origin.getHost()), port);
            TlsClientEngines tls = isEncrypted ? clients(site.fetchCertificates(origin.getHost(), port)) : null;
            List<Long> processes = ListeningProcesses.here().on(port).stream()
                    .map(ListeningProcesses.Listener::pid)
                    .toList();
            return new Started(contestant, address, processes, tls);
        } catch (IOException e) {
            throw new OperatorException("--beside: " + origin + " does not answer: " + e.getMessage());
        }
    }

    private static void check(Started server, Workload workload) throws InterruptedException, OperatorException {
        try {
            Meter.check(server.target(workload));
        } catch (IOException e) {
            throw new OperatorException(server.contestant.name() + ": GET " + workload.path() + ": " + e.getMessage()
                    + "; expected an answer with status 200"
                    + (workload.size() < 0 ? " (--url names another page)" : ""));
        }
    }

    /**
     * Until the compilers of the server, and of the clients, which are this process, have little left to do, or the time for that is over.
     * Of a server whose compilers cannot be watched, until a pass over all workloads costs hardly less than the one before.
     */
    private void warmUp(Site site, List<Started> servers) throws IOException, InterruptedException {
        for (Started server : List.copyOf(servers)) {
            long began = System.nanoTime();
            int quiet = 0;
            double before = Double.POSITIVE_INFINITY;
            while (quiet < QUIET_PASSES) {
                Processor.Times own = Processor.compilers(THIS_PROCESS);
                long at = System.nanoTime();
                Pass pass = pass(site, server);
                if (pass == null) {
                    servers.remove(server);
                    break;
                }
                double clients = Processor.compilers(THIS_PROCESS).since(own) / (System.nanoTime() - at);
                boolean isQuiet = Double.isNaN(pass.compilers)
                        ? pass.cost >= before * STEADY
                        : Math.max(pass.compilers, Double.isNaN(clients) ? 0 : clients) <= COMPILED;
                quiet = isQuiet ? quiet + 1 : 0;
                before = pass.cost;
                if (quiet < QUIET_PASSES && System.nanoTime() - began > options.warmUp() * 1e9) {
                    leaveOut(server.contestant.name() + " was not warm after " + options.warmUp() + " s"
                            + (Double.isNaN(pass.compilers)
                                    ? ": it was still getting faster"
                                    : ": compilers took " + Figures.percent(Math.max(pass.compilers, clients))
                                            + " of a processor"));
                    break;
                }
            }
        }
    }

    /**
     * A pass over all workloads.
     *
     * @param cost of a response in the mean, as processor time or the inverse of the rate
     * @param compilers the part of one processor that the server's compilers took; NaN if it is unknown
     */
    private record Pass(double cost, double compilers) {}

    /** Null if the server does not answer. */
    private @Nullable Pass pass(Site site, Started server) throws IOException, InterruptedException {
        int clients = Collections.max(options.clients());
        double product = 1;
        double compilers = 0;
        for (Workload workload : options.workloads()) {
            Sample sample = sample(site, server, workload, clients, WARMING);
            if (sample == null) {
                return null;
            }
            product *= Double.isNaN(sample.cpu()) ? 1 / sample.rate() : sample.cpu();
            compilers += sample.compilers();
        }
        double count = options.workloads().size();
        return new Pass(Math.pow(product, 1 / count), compilers / count);
    }

    /** Each cell is its own key while it has no samples. A server that does not answer all clients has none. */
    private Map<Cell, Cell> rounds(Site site, List<Started> servers) throws IOException, InterruptedException {
        Map<Cell, Cell> cells = new LinkedHashMap<>();
        List<Started> order = new ArrayList<>(servers);
        boolean isEven = options.workloads().size() * options.clients().size() % 2 == 0;
        for (int round = 1; round <= options.rounds(); round++) {
            out.println("round " + round + " of " + options.rounds());
            for (Workload workload : options.workloads()) {
                for (int clients : options.clients()) {
                    for (Started server : List.copyOf(order)) {
                        Sample sample = sample(site, server, workload, clients, length());
                        if (sample == null) {
                            order.remove(server);
                            servers.remove(server);
                            cells.keySet().removeIf(cell -> cell.contestant().equals(server.contestant));
                        } else {
                            Cell empty = new Cell(server.contestant, workload, clients, List.of());
                            Cell more = new Cell(server.contestant, workload, clients, List.of(sample));
                            cells.merge(empty, more, Cell::and);
                        }
                    }
                    Collections.reverse(order);
                }
            }
            if (isEven) { // else each cell would have the same order in all rounds
                Collections.reverse(order);
            }
        }
        if (servers.isEmpty()) {
            throw new IOException("no connector answered all clients");
        }
        return cells;
    }

    /** Null if the server does not answer all clients, which others may do. */
    private @Nullable Sample sample(Site site, Started server, Workload workload, int clients, Duration length)
            throws IOException, InterruptedException {
        try {
            return Meter.measure(server.target(workload), server.processes, clients, length, () -> {});
        } catch (IOException e) {
            if (site.isClosed()) {
                throw e;
            }
            leaveOut(
                    server.contestant.name() + " is left out: " + Plural.of(clients, "client") + ", " + e.getMessage());
            return null;
        }
    }

    /** The clients of all connectors encrypt alike, as cheaply as this machine can. */
    private static TlsClientEngines clients(Path certificate) {
        return TlsClients.open(TlsClientOptions.DEFAULT
                .with(TlsHost.CA_CERTIFICATE_FILE, certificate)
                .with(VERIFY_HOST_NAME, false)
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.AUTO));
    }

    private List<Setting> settings() {
        String processor = Processor.name();
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting(
                "machine",
                (processor.isEmpty() ? System.getProperty("os.arch") : processor) + ", "
                        + Plural.of(Processor.count(), "processor") + ", " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version")));
        if (Processor.isLimited()) {
            settings.add(new Setting("other programs", "those of the same container: the machine has more processors"));
        }
        settings.add(new Setting("Java", Runtime.version() + ", " + System.getProperty("java.vendor", "")));
        settings.add(new Setting("servers", "a process each, with a heap of " + options.heap() + " MiB"));
        settings.add(new Setting(
                "measurements",
                String.format(
                        Locale.ROOT,
                        "%d s each, %d rounds by turns, medians; servers and clients share the machine",
                        options.seconds(),
                        options.rounds())));
        return settings;
    }
}
