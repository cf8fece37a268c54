package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.files.FileDeletion;
import io.millrace.metrics.Durations;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.Sessions;
import io.millrace.standalone.HostDeployments.Known;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.admin.ServerAdministration;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.PlannedDeployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** What operators see of the deployments of a host, and change. */
final class HostAdministration implements Administration {

    private final ServerConfig.Host host;
    private final HostDeployments deployments;
    private final Applications factory;
    private final Path uploads;
    private final ServerAdministration administration;

    /**
     * @param factory of the applications
     * @param uploads a directory for files that are being received
     * @param administration of the server
     */
    HostAdministration(
            ServerConfig.Host host,
            HostDeployments deployments,
            Applications factory,
            Path uploads,
            ServerAdministration administration) {
        this.host = host;
        this.deployments = deployments;
        this.factory = factory;
        this.uploads = uploads;
        this.administration = administration;
    }

    @Override
    public ServerAdministration server() {
        return administration;
    }

    @Override
    public String host() {
        return host.name();
    }

    @Override
    public Path appBase() {
        return host.appBase();
    }

    @Override
    public List<Listed> list() {
        return deployments.all().stream()
                .sorted(Comparator.comparing(
                                (Known each) -> each.deployment().name().path())
                        .thenComparing(each -> each.deployment().name().version()))
                .map(this::listed)
                .toList();
    }

    @Override
    public Set<String> paths() {
        return deployments.names().stream().map(ContextName::path).collect(Collectors.toSet());
    }

    private Listed listed(Known each) {
        Sessions sessions = each.application() instanceof WebApplication web ? web.sessionsIfStarted() : null;
        Path docBase = each.deployment().docBase();
        ContextName name = each.deployment().name();
        return new Listed(
                name,
                sessions != null,
                sessions == null ? 0 : sessions.count(),
                host.appBase().equals(docBase.getParent()) ? name.fileName() : docBase.toString(),
                sessions != null && each.application() instanceof WebApplication web ? displayName(web) : "",
                load(each),
                sessions != null && each.application() instanceof WebApplication web ? web : null);
    }

    private Load load(Known each) {
        Server running = deployments.server();
        Duration since = Duration.ofNanos(System.nanoTime() - each.since());
        Durations durations =
                running == null || each.application() == null ? null : running.durations(each.application());
        return durations == null
                ? new Load(0, Duration.ZERO, Duration.ZERO, since)
                : new Load(durations.count(), durations.quantile(0.5), durations.quantile(0.99), since);
    }

    @Override
    public List<String> unavailable() {
        List<String> names = new ArrayList<>(factory.failures(""));
        Server running = deployments.server();
        if (running != null) {
            running.failures()
                    .keySet()
                    .forEach(application ->
                            names.add(new ContextName(application.contextPath(), application.version()).marked()));
        }
        return names.stream().distinct().sorted().toList();
    }

    @Override
    public List<String> failingStores() {
        List<String> failing = new ArrayList<>();
        for (Known each : deployments.all()) {
            Sessions sessions = each.application() instanceof WebApplication web ? web.sessionsIfStarted() : null;
            String store = sessions == null ? null : sessions.failingStore();
            if (store != null) {
                failing.add(each.deployment().name().display() + ": its sessions are in " + store
                        + ", which does not answer");
            }
        }
        return failing;
    }

    private static String displayName(WebApplication application) {
        ServletContext context = application.contextIfStarted();
        String name = context == null ? null : context.getServletContextName();
        return name == null ? "" : name.strip();
    }

    @Override
    public Path upload() throws IOException {
        Files.createDirectories(uploads);
        return uploads.resolve(UUID.randomUUID() + ".part");
    }

    @Override
    public Path tagged(String tag, ContextName name) {
        return uploads.resolve("tagged").resolve(tag).resolve(name.fileName() + ".war");
    }

    // ---- changes

    private static void requireOwnFiles(Known each) throws Refusal {
        if (each.deployment().line() > 0) {
            throw new Refusal(Refusal.Reason.IN_SERVER_XML);
        }
    }

    @Override
    public @Nullable String deploy(ContextName name, Source source, boolean update) throws Refusal {
        return deployments.change(on -> {
            Known before = deployments.get(name);
            if (before != null && !update) {
                throw new Refusal(Refusal.Reason.EXISTS);
            }
            if (before != null) {
                requireOwnFiles(before);
            }
            try (Replacement files = new Replacement(host, name)) {
                check(name, source);
                files.put(source);
                PlannedDeployment found = deployments.planned(name);
                String failure = deployments.deploy(on, found);
                if (failure == null || before == null) {
                    files.keep();
                    return failure;
                }
                files.restore();
                PlannedDeployment old = deployments.planned(name);
                if (before.application() != null) {
                    deployments.deploy(on, old);
                } else { // it had been stopped
                    Application failed = deployments.find(name).application();
                    deployments.stop(on, old, deployments.stamp(old), failed);
                }
                return failure;
            }
        });
    }

    /** Reads an application as its start will do, before anything is changed. */
    private void check(ContextName name, Source source) throws Refusal {
        Path war = source.war();
        if (war == null) {
            return;
        }
        String defect = factory.unreadable(PlannedDeployment.at(name, war, host.contextFiles()));
        if (defect != null) {
            throw new Refusal(Refusal.Reason.OTHER, defect);
        }
    }

    @Override
    public void undeploy(ContextName name, @Nullable Duration longest) throws Refusal {
        deployments.change(on -> {
            Known gone = deployments.find(name);
            requireOwnFiles(gone);
            deployments.removeWithFiles(on, gone, longest == null ? deployments.grace() : longest);
            return true;
        });
    }

    @Override
    public @Nullable String start(ContextName name) throws Refusal {
        return deployments.change(on -> {
            Known each = deployments.find(name);
            return listed(each).running()
                    ? null
                    : deployments.deploy(on, each.deployment(), each.stamp(), each.application(), deployments.grace());
        });
    }

    @Override
    public void stop(ContextName name) throws Refusal {
        deployments.change(on -> {
            Known each = deployments.find(name);
            if (each.application() != null) {
                deployments.stop(on, each.deployment(), each.stamp(), each.application());
            }
            factory.notFailed(name); // nobody expects it to run
            return true;
        });
    }

    @Override
    public @Nullable String reload(ContextName name) throws Refusal {
        return deployments.change(on -> {
            Known each = deployments.find(name);
            PlannedDeployment now = each.deployment().line() > 0 ? each.deployment() : deployments.planned(name);
            return deployments.deploy(on, now);
        });
    }

    private @Nullable Sessions sessionsOf(ContextName name) throws Refusal {
        return deployments.findSettled(name).application() instanceof WebApplication web
                ? web.sessionsIfStarted()
                : null;
    }

    @Override
    public Idle sessions(ContextName name) throws Refusal {
        Sessions sessions = sessionsOf(name);
        return sessions == null ? new Idle(0, List.of()) : new Idle(sessions.timeoutMinutes(), sessions.idleMillis());
    }

    @Override
    public int expire(ContextName name, int minutes) throws Refusal {
        Sessions sessions = sessionsOf(name);
        return sessions == null ? 0 : sessions.expire(TimeUnit.MINUTES.toMillis(minutes));
    }

    @Override
    public List<String> leaks() {
        return factory.leaks();
    }

    @Override
    public Map<String, String> resources() {
        return deployments.all().stream()
                .findFirst()
                .map(each -> each.deployment().context().settings().globalTypes())
                .orElse(Map.of());
    }

    /**
     * Puts the files of an application in the places from which it is deployed, and the earlier ones back if it does not start. Files
     * appear whole. Earlier files are kept beside appBase's applications, under a name that is no application's, until it is closed.
     */
    private static final class Replacement implements AutoCloseable {

        private final ServerConfig.Host host;
        private final ContextName name;

        /** Where each file was, and where it is now; null if there was none. */
        private final Map<Path, @Nullable Path> earlier = new LinkedHashMap<>();

        private boolean kept;

        Replacement(ServerConfig.Host host, ContextName name) {
            this.host = host;
            this.name = name;
        }

        /** Moves earlier files away and puts the new ones in their place. */
        void put(Administration.Source source) throws IOException {
            Path war = source.war();
            if (war != null) {
                Path archive = host.appBase().resolve(name.fileName() + ".war");
                Path directory = host.appBase().resolve(name.fileName());
                Files.createDirectories(host.appBase());
                boolean isDirectory = Files.isDirectory(war);
                Path target = isDirectory ? directory : archive;
                if (!war.toRealPath().equals(real(target))) {
                    Path ready = hidden(target);
                    copy(war, ready, source.moved());
                    away(archive);
                    away(directory);
                    Files.move(ready, target);
                }
            }
            Path config = source.config();
            Path own = host.contextFiles().own(name.fileName());
            if (config != null && own != null && !config.toRealPath().equals(real(own))) {
                Files.createDirectories(own.resolveSibling("."));
                away(own);
                Files.copy(config, own);
            }
        }

        private static @Nullable Path real(Path file) throws IOException {
            return Files.exists(file) ? file.toRealPath() : null;
        }

        /** In the same directory, so that a move is a renaming. No scan of appBase considers it. */
        private static Path hidden(Path target) {
            return target.resolveSibling("." + UUID.randomUUID());
        }

        private void away(Path place) throws IOException {
            Path aside = Files.exists(place) ? hidden(place) : null;
            if (aside != null) {
                Files.move(place, aside);
            }
            earlier.put(place, aside);
        }

        private static void copy(Path from, Path to, boolean moved) throws IOException {
            if (moved) {
                try {
                    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                    return;
                } catch (AtomicMoveNotSupportedException otherFileSystem) {
                    // copied below
                }
            }
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }

        /** The new files stay. */
        void keep() {
            kept = true;
        }

        /** Puts the earlier files back. */
        void restore() throws IOException {
            kept = true;
            for (Map.Entry<Path, @Nullable Path> file : List.copyOf(earlier.entrySet())) {
                FileDeletion.deleteTree(file.getKey());
                Path aside = file.getValue();
                if (aside != null) {
                    Files.move(aside, file.getKey());
                }
            }
            earlier.clear();
        }

        /** Deletes the earlier files, or puts them back if the new ones were not kept. */
        @Override
        public void close() throws IOException {
            if (!kept) {
                restore();
            }
            for (Path aside : earlier.values()) {
                if (aside != null) {
                    FileDeletion.deleteTree(aside);
                }
            }
        }
    }
}
