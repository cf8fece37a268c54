package io.millrace.servlet;

import io.millrace.servlet.deploy.DeclaredContextPath;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.deploy.DeploymentReader;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The source of a {@link WebApplication}, and the changes to apply after reading it. Not thread-safe. */
final class ApplicationSource {

    /** Null for an application in code. */
    private final @Nullable Path war;
    /** The static files of an application in code; null if it has none. */
    private final @Nullable Path docBase;
    /** The model of an application in code. */
    private final WebAppModel model;

    private final Map<String, ResourceSource> resources = new HashMap<>();
    final List<Consumer<WebAppModel>> changes = new ArrayList<>();
    /** Makes what a resource-ref names that nothing binds. */
    Function<NamingEntryModel, @Nullable ResourceSource> unbound = reference -> null;

    DeploymentOptions options = DeploymentOptions.DEFAULT;
    ContainerServlets container = ContainerServlets.NONE;
    /** The parent loader of a WAR, or the loader of an application in code; null for the default. */
    @Nullable
    ClassLoader loader;

    ApplicationSource(@Nullable Path war, @Nullable Path docBase, WebAppModel model) {
        this.war = war;
        this.docBase = docBase;
        this.model = model;
    }

    /** The contents of an application. */
    record Contents(
            WebAppModel model,
            ClassLoader loader,
            Path docBase,
            List<Path> resourceRoots,
            ExtraResources extra,
            Path temporaryDirectory) {}

    /** Implements {@link WebApplication#resource}. */
    void add(String name, boolean overridable, ResourceSource made) {
        changes.add(deployed -> {
            boolean declared = deployed.namingEntries.stream()
                    .anyMatch(entry -> entry.name().equals(name) && entry.value() != null);
            if (!declared || !overridable) {
                resources.put(name, made);
                deployed.namingEntries.replaceAll(entry -> entry.name().equals(name) ? entry.withoutValue() : entry);
            }
        });
    }

    /** The resources; complete once the application is read. */
    Map<String, ResourceSource> resources() {
        return resources;
    }

    /** The context path that web.xml declares; otherwise that of the root. */
    String declaredPath() {
        String declared = war == null ? null : DeclaredContextPath.of(war);
        return declared == null ? "" : declared;
    }

    /** Reads a WAR; null for an application in code. The caller closes the result. */
    @Nullable
    Deployment open(WorkDirectory work, Settings settings) throws IOException, DeploymentException {
        return war == null ? null : DeploymentReader.read(war, work.path(), parent(), settings, options);
    }

    private ClassLoader parent() {
        return loader != null ? loader : WebApplication.class.getClassLoader();
    }

    /** The contents that were read or built in code, with all changes. */
    Contents contents(@Nullable Deployment read, WorkDirectory work) throws IOException {
        Contents contents = read == null
                ? inCode(work.path())
                : new Contents(
                        read.model(),
                        read.loader(),
                        read.docBase(),
                        read.resourceJars(),
                        options.extra().files(),
                        read.temporaryDirectory());
        changes.forEach(change -> change.accept(contents.model()));
        contents.model().namingEntries.stream()
                .filter(NamingEntryModel::isOpenReference)
                .filter(reference -> !resources.containsKey(reference.name()))
                .forEach(reference -> {
                    ResourceSource made = unbound.apply(reference);
                    if (made != null) {
                        resources.put(reference.name(), made);
                    }
                });
        return contents;
    }

    private Contents inCode(Path work) throws IOException {
        ClassLoader own = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        return new Contents(
                model,
                own != null ? own : parent(),
                docBase != null ? docBase : Files.createDirectories(work.resolve("empty")),
                List.of(),
                options.extra().files(),
                Files.createDirectories(work.resolve("tmp")));
    }

    /** Implements {@link WebApplication#inspect}. */
    WarInspection inspect(String contextPath, Settings settings, Set<String> classes) throws IOException {
        if (war == null) {
            return WarInspection.NOTHING;
        }
        WorkDirectory work = WorkDirectory.of(null, contextPath);
        try (Deployment read = DeploymentReader.inspect(war, work.path(), parent(), settings, options)) {
            changes.forEach(change -> change.accept(read.model()));
            return WarInspection.of(read, contextPath, settings, container, classes);
        } catch (DeploymentException e) {
            return WarInspection.refused(List.of(e.getMessage()));
        } finally {
            work.close();
        }
    }
}
