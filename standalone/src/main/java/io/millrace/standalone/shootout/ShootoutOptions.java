package io.millrace.standalone.shootout;

import static io.millrace.standalone.shootout.ShootoutSyntax.BESIDE;
import static io.millrace.standalone.shootout.ShootoutSyntax.CLIENTS;
import static io.millrace.standalone.shootout.ShootoutSyntax.HEAP;
import static io.millrace.standalone.shootout.ShootoutSyntax.JSON;
import static io.millrace.standalone.shootout.ShootoutSyntax.NO_ASYNC;
import static io.millrace.standalone.shootout.ShootoutSyntax.PORTS;
import static io.millrace.standalone.shootout.ShootoutSyntax.QUICK;
import static io.millrace.standalone.shootout.ShootoutSyntax.REPORT;
import static io.millrace.standalone.shootout.ShootoutSyntax.ROUNDS;
import static io.millrace.standalone.shootout.ShootoutSyntax.SECONDS;
import static io.millrace.standalone.shootout.ShootoutSyntax.SIZES;
import static io.millrace.standalone.shootout.ShootoutSyntax.TLS;
import static io.millrace.standalone.shootout.ShootoutSyntax.TRANSPORTS;
import static io.millrace.standalone.shootout.ShootoutSyntax.URL;

import io.millrace.standalone.base.Writable;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import io.millrace.text.EditDistance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for, checked as far as that is possible without a server.
 *
 * @param wars the user's applications; empty for that of the shoot-out
 * @param seconds of a measurement
 * @param warmUp seconds for each server, at most
 * @param ports to choose from; null for free ones
 * @param heap of each server, in MiB
 * @param waiting clients of the servlets that wait; 0 not to measure them
 */
record ShootoutOptions(
        List<PlannedDeployment> wars,
        List<String> transports,
        List<Tls> tls,
        List<Workload> workloads,
        List<Integer> clients,
        int seconds,
        int rounds,
        int warmUp,
        @Nullable Ports ports,
        int heap,
        int waiting,
        List<Beside> beside,
        @Nullable Path report,
        @Nullable Path json) {

    /** Both ends included. */
    record Ports(int from, int to) {

        private static final int SHOWN = 5;

        /**
         * The first ones of the loopback address that are free.
         *
         * @throws OperatorException if there are fewer
         */
        List<Integer> free(int needed) throws OperatorException {
            List<Integer> free = new ArrayList<>();
            List<String> taken = new ArrayList<>();
            for (int port = from; port <= to && free.size() < needed; port++) {
                try (ServerSocket socket = new ServerSocket()) {
                    socket.setReuseAddress(true);
                    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    free.add(port);
                } catch (IOException e) {
                    taken.add(String.valueOf(port));
                }
            }
            if (free.size() == needed) {
                return free;
            }
            String some = String.join(", ", taken.subList(0, Math.min(SHOWN, taken.size())));
            throw new OperatorException(PORTS + "=" + from + "-" + to + ": " + needed + " free ports are needed, and "
                    + free.size() + " are free"
                    + (taken.isEmpty() ? "" : " (taken: " + some + (taken.size() > SHOWN ? " and others)" : ")"))
                    + "; name a larger or another range, or leave the option out");
        }
    }

    /** A server that runs already, and has the same pages. */
    record Beside(String name, URI origin) {}

    private static final String SERVLET = "servlet";
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,6})([kKmM]?)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");
    private static final long MAX_SIZE = 1L << 30;
    private static final int MAX_CLIENTS = 20_000;

    private static final int MAX_SECONDS = 600;
    private static final int MAX_ROUNDS = 100;

    private static final int WARM_UP = 30;
    private static final int WARM_UP_QUICK = 15;

    private static final int WAITING = 1000;
    private static final int WAITING_QUICK = 400;

    /**
     * Reads them.
     *
     * @param installed the transports of this installation
     * @throws UsageException if an option is not understood
     * @throws OperatorException if a file is missing or cannot be written
     */
    static ShootoutOptions of(Arguments arguments, Collection<String> installed)
            throws UsageException, OperatorException {
        boolean quick = arguments.flag(QUICK);
        List<PlannedDeployment> wars = wars(arguments);
        return new ShootoutOptions(
                wars,
                transports(arguments, installed),
                tls(arguments),
                workloads(arguments, wars, quick),
                clients(arguments, quick),
                seconds(arguments),
                rounds(arguments),
                quick ? WARM_UP_QUICK : WARM_UP,
                ports(arguments),
                heap(arguments, wars),
                wars.isEmpty() && !arguments.flag(NO_ASYNC) ? quick ? WAITING_QUICK : WAITING : 0,
                beside(arguments),
                written(arguments, REPORT),
                written(arguments, JSON));
    }

    private static List<PlannedDeployment> wars(Arguments arguments) throws OperatorException {
        List<PlannedDeployment> wars =
                arguments.operands().stream().map(PlannedDeployment::ofArgument).toList();
        for (PlannedDeployment war : wars) {
            if (war.defect() != null) {
                throw new OperatorException(war.docBase() + ": " + war.defect());
            }
        }
        return wars;
    }

    private static List<String> transports(Arguments arguments, Collection<String> installed) throws UsageException {
        String text = arguments.text(TRANSPORTS);
        List<String> order = new ArrayList<>(installed);
        order.sort((a, b) -> Boolean.compare(b.startsWith("nio"), a.startsWith("nio"))); // the default first
        return text == null ? order : words(TRANSPORTS, text, order);
    }

    private static List<Tls> tls(Arguments arguments) throws UsageException {
        List<Tls> all = List.of(Tls.PLAIN, Tls.JSSE, Tls.OPENSSL);
        String text = arguments.text(TLS);
        if (text == null) {
            return all;
        }
        List<String> wanted = words(TLS, text, all.stream().map(Tls::word).toList());
        return all.stream().filter(each -> wanted.contains(each.word())).toList();
    }

    private static List<Workload> workloads(Arguments arguments, List<PlannedDeployment> wars, boolean quick)
            throws UsageException {
        String url = arguments.text(URL);
        String sizes = arguments.text(SIZES);
        if (url != null && wars.isEmpty()) {
            throw new UsageException(
                    URL + " needs the WAR whose page it is: millrace shootout shop.war " + URL + "=" + url);
        }
        if (!wars.isEmpty() && sizes != null) {
            throw new UsageException(SIZES + " is for the shoot-out's own application; leave it out, or the WAR");
        }
        if (!wars.isEmpty()) {
            String path = url == null ? wars.get(0).contextPath() + "/" : url;
            if (!path.matches("/[!-~]*")) {
                throw new UsageException(
                        URL + "=" + path + ": expected a path of the server, such as /shop/list?page=2,"
                                + " with everything but ASCII percent-encoded");
            }
            return List.of(new Workload(path, path, -1));
        }
        String list = sizes == null ? quick ? "servlet,128k" : "servlet,4k,128k,4m" : sizes;
        List<Workload> workloads = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            Workload workload = workload(word.strip());
            if (!workloads.contains(workload)) {
                workloads.add(workload);
            }
        }
        return List.copyOf(workloads);
    }

    private static Workload workload(String word) throws UsageException {
        if (word.equals(SERVLET)) {
            return new Workload(SERVLET, "/hello", -1);
        }
        Matcher size = SIZE.matcher(word);
        long unit = word.isEmpty()
                ? 0
                : switch (Character.toLowerCase(word.charAt(word.length() - 1))) {
                    case 'k' -> 1024;
                    case 'm' -> 1024 * 1024;
                    default -> 1;
                };
        if (!size.matches() || Long.parseLong(size.group(1)) * unit > MAX_SIZE) {
            throw new UsageException(
                    SIZES + ": '" + word + "' is no size; expected servlet, or bytes up to 1024m, such as"
                            + " 808, 4k or 8m, separated by commas");
        }
        String name = word.toLowerCase(Locale.ROOT);
        String title = unit == 1 ? name + " bytes" : size.group(1) + (unit == 1024 ? " KiB" : " MiB");
        return new Workload(title, "/file/" + name + ".bin", Long.parseLong(size.group(1)) * unit);
    }

    private static List<Integer> clients(Arguments arguments, boolean quick) throws UsageException {
        String text = arguments.text(CLIENTS);
        List<Integer> counts = new ArrayList<>();
        for (String word : (text == null ? quick ? "20" : "4,40" : text).split(",", -1)) {
            int count = word.strip().matches("[0-9]{1,6}") ? Integer.parseInt(word.strip()) : 0;
            if (count < 1 || count > MAX_CLIENTS) {
                throw new UsageException(CLIENTS + ": '" + word + "' is no number from 1 to " + MAX_CLIENTS
                        + "; expected some, separated by commas, such as 4,40,80");
            }
            if (!counts.contains(count)) {
                counts.add(count);
            }
        }
        return List.copyOf(counts);
    }

    private static int seconds(Arguments arguments) throws UsageException {
        int seconds = arguments.number(SECONDS, 1);
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new UsageException(SECONDS + "=" + seconds + ": expected a number from 1 to " + MAX_SECONDS);
        }
        return seconds;
    }

    /** Of a single one nobody knows whether it was chance. */
    private static int rounds(Arguments arguments) throws UsageException {
        int rounds = arguments.number(ROUNDS, 3);
        if (rounds < 2 || rounds > MAX_ROUNDS) {
            throw new UsageException(ROUNDS + "=" + rounds + ": expected a number from 2 to " + MAX_ROUNDS);
        }
        return rounds;
    }

    private static @Nullable Ports ports(Arguments arguments) throws UsageException {
        String text = arguments.text(PORTS);
        if (text == null) {
            return null;
        }
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            Ports ports = new Ports(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
            if (ports.from >= 1 && ports.from <= ports.to && ports.to <= 65_535) {
                return ports;
            }
        }
        throw new UsageException(PORTS + "=" + text + ": expected the first and the last port, such as 9000-9020");
    }

    private static int heap(Arguments arguments, List<PlannedDeployment> wars) throws UsageException {
        String text = arguments.text(HEAP);
        if (text == null) {
            return wars.isEmpty() ? 128 : 256;
        }
        Matcher size = Pattern.compile("([1-9][0-9]{0,5})([mMgG])").matcher(text);
        if (!size.matches()) {
            throw new UsageException(HEAP + "=" + text + ": expected a size such as 512m or 2g");
        }
        return Integer.parseInt(size.group(1)) * (size.group(2).equalsIgnoreCase("g") ? 1024 : 1);
    }

    private static List<Beside> beside(Arguments arguments) throws UsageException {
        String text = arguments.text(BESIDE);
        List<Beside> beside = new ArrayList<>();
        for (String word : text == null ? new String[0] : text.split(",", -1)) {
            int split = word.indexOf('=');
            try {
                URI origin = new URI(split < 1 ? "" : word.substring(split + 1));
                boolean isHttp = "http".equals(origin.getScheme()) || "https".equals(origin.getScheme());
                if (isHttp
                        && origin.getHost() != null
                        && (origin.getRawPath().isEmpty() || origin.getRawPath().equals("/"))) {
                    beside.add(new Beside(word.substring(0, split), origin));
                    continue;
                }
            } catch (URISyntaxException e) {
                // said below
            }
            throw new UsageException(BESIDE + ": '" + word + "': expected a name and the address of a server, such as"
                    + " tomcat=http://localhost:8081");
        }
        return List.copyOf(beside);
    }

    /** A file that can be written, so that nothing is measured in vain. */
    private static @Nullable Path written(Arguments arguments, String option) throws OperatorException {
        Path file = arguments.path(option);
        if (file == null) {
            return null;
        }
        Path parent = file.toAbsolutePath().getParent();
        String defect = null;
        if (Files.isDirectory(file)) {
            defect = "is a directory; name a file";
        } else if (parent == null || !Files.isDirectory(parent)) {
            defect = "cannot be written: there is no directory " + parent;
        } else if (Files.exists(file) ? !Files.isWritable(file) : Writable.defect(parent) != null) {
            defect = "cannot be written by this user; name another file";
        }
        if (defect != null) {
            throw new OperatorException(option + "=" + file + " " + defect);
        }
        return file;
    }

    /** Known ones of a list, each once. */
    private static List<String> words(String option, String text, List<String> known) throws UsageException {
        List<String> words =
                Arrays.stream(text.split(",", -1)).map(String::strip).distinct().toList();
        for (String word : words) {
            if (!known.contains(word)) {
                throw new UsageException(option + ": there is no '" + word + "', but " + String.join(",", known)
                        + EditDistance.suggestion(word, known));
            }
        }
        return words;
    }
}
