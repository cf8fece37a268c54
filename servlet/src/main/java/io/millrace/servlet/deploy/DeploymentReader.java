package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.deploy.scan.ApplicationScan;
import io.millrace.servlet.deploy.scan.ClassFiles;
import io.millrace.servlet.deploy.scan.ClassesDirectory;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.deploy.scan.HandledTypes;
import io.millrace.servlet.deploy.scan.Initializers;
import io.millrace.servlet.deploy.scan.JakartaCheck;
import io.millrace.servlet.deploy.scan.Libraries;
import io.millrace.servlet.deploy.scan.LibraryJar;
import io.millrace.servlet.deploy.scan.ScanTarget;
import io.millrace.servlet.deploy.scan.ScannedPlace;
import io.millrace.servlet.deploy.scan.ServletClassAnnotations;
import io.millrace.servlet.deploy.scan.WebAnnotations;
import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.DescriptorMerge;
import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.deploy.xml.FilterDeclaration;
import io.millrace.servlet.deploy.xml.ServletDeclaration;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.OwnFiles;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Settings;
import io.millrace.text.Plural;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a web application from a WAR file or from a directory with an unpacked one. Its methods block for file I/O. */
public final class DeploymentReader {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Path war;
    private final Path work;
    private final ClassLoader parent;
    private final Settings settings;
    private final DeploymentOptions options;
    /** Whether no class of the application may be loaded. */
    private final boolean inspecting;

    private DeploymentReader(
            Path war, Path work, ClassLoader parent, Settings settings, DeploymentOptions options, boolean inspecting) {
        this.inspecting = inspecting;
        this.war = war;
        this.work = work;
        this.parent = parent;
        this.settings = settings;
        this.options = options;
    }

    /** As {@link #read(Path, Path, ClassLoader, Settings, DeploymentOptions)} with default settings and options. */
    public static Deployment read(Path warOrDirectory, Path workDirectory, ClassLoader parent)
            throws DeploymentException, IOException {
        return read(warOrDirectory, workDirectory, parent, Settings.DEFAULTS, DeploymentOptions.DEFAULT);
    }

    /**
     * Reads an application. Of its classes it loads only the ServletContainerInitializers and the types that match their
     * {@code HandlesTypes} annotations.
     *
     * @param warOrDirectory a directory is used in place; a file is unpacked into the work directory, unless the files that
     *     an earlier call unpacked there are still those of the WAR
     * @param workDirectory the application's work directory, kept between starts; created if missing
     * @param parent the container's class loader, which has the Servlet API
     * @param settings the {@link ContextOptions} of class loading and symbolic links apply
     * @throws DeploymentException if the application is invalid; the message is for the operator, without a stack trace
     * @throws IOException if a file cannot be read or written
     */
    public static Deployment read(
            Path warOrDirectory, Path workDirectory, ClassLoader parent, Settings settings, DeploymentOptions options)
            throws DeploymentException, IOException {
        Path war = warOrDirectory.toAbsolutePath().normalize();
        Path work = workDirectory.toAbsolutePath().normalize();
        try {
            return new DeploymentReader(war, work, parent, settings, options, false).read();
        } catch (DeploymentException e) {
            throw e.in(warOrDirectory.toString());
        }
    }

    /**
     * Reads an application, for checks, without loading any of its classes: the result has no initializers and cannot be
     * started.
     *
     * @throws DeploymentException if the application is invalid; the message does not name the application
     * @throws IOException if a file cannot be read or written
     */
    public static Deployment inspect(
            Path warOrDirectory, Path workDirectory, ClassLoader parent, Settings settings, DeploymentOptions options)
            throws DeploymentException, IOException {
        Path war = warOrDirectory.toAbsolutePath().normalize();
        Path work = workDirectory.toAbsolutePath().normalize();
        return new DeploymentReader(war, work, parent, settings, options, true).read();
    }

    private Deployment read() throws DeploymentException, IOException {
        long start = System.nanoTime();
        Path temporary = Files.createDirectories(work.resolve("tmp"));
        boolean unpacked = refresh();
        Path docBase = Files.isDirectory(war) ? war : unpackedWar().path();
        long unpackNanos = unpacked ? System.nanoTime() - start : 0;
        Path own = OwnFiles.merge(
                docBase, options.extra(), settings.get(ContextOptions.ALLOW_LINKING), work.resolve("merged"));
        List<Path> jars = Libraries.paths(own);
        WebAppClassLoader loader = loader(own, jars);
        try (Libraries libraries = Libraries.open(jars)) {
            ApplicationReading reading = new ApplicationReading(own, libraries, loader, parent, work, options);
            WebAppModel model = reading.read();
            ScanTimes times = new ScanTimes(
                    jars.size(),
                    reading.cached(),
                    reading.scanned(),
                    reading.scanNanos() / NANOS_PER_MILLI,
                    unpackNanos / NANOS_PER_MILLI,
                    (System.nanoTime() - start) / NANOS_PER_MILLI);
            ServletLog.DEPLOY.applicationRead(
                    war.getFileName(),
                    times.totalMillis(),
                    times.scanMillis(),
                    Plural.of(times.jars(), "jar"),
                    times.cached(),
                    times.scanned(),
                    times.unpackMillis());
            String orphan = inspecting ? null : reading.orphanedEndpoint();
            if (orphan != null) {
                ServletLog.DEPLOY.noWebSocket(war.getFileName(), orphan);
            }
            return new Deployment(
                    docBase,
                    libraries.withResources(options.jars().pluggability()),
                    options.extra().files(),
                    libraries.withTaglibs(options.jars().taglibs()),
                    temporary,
                    loader,
                    model,
                    inspecting ? List.of() : reading.initializers(),
                    inspecting ? reading.endpoints() : DeclaredEndpoints.NONE,
                    times,
                    HandlersFile.in(docBase, own, libraries));
        } catch (DeploymentException | IOException | RuntimeException | Error e) {
            loader.close();
            throw e;
        }
    }

    /** Unpacks the WAR if necessary; true if it did. */
    private boolean refresh() throws DeploymentException, IOException {
        if (Files.isDirectory(war)) {
            return false;
        }
        if (!Files.isRegularFile(war)) {
            throw new DeploymentException("there is no such file or directory");
        }
        if (!Files.isReadable(war)) {
            throw new DeploymentException("the server's user may not read the file");
        }
        return unpackedWar().refresh(war);
    }

    private WarDirectory unpackedWar() {
        return new WarDirectory(work.resolve("webapp"));
    }

    private WebAppClassLoader loader(Path docBase, List<Path> jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(classesUrl(docBase));
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        String name = String.valueOf(war.getFileName());
        return new WebAppClassLoader(name, urls.toArray(URL[]::new), parent, settings.get(ContextOptions.DELEGATE));
    }

    /** With a trailing slash, which marks a directory, even if the directory does not exist. */
    private static URL classesUrl(Path docBase) throws MalformedURLException {
        URL url = docBase.resolve("WEB-INF/classes").toUri().toURL();
        return url.getPath().endsWith("/") ? url : new URL(url + "/");
    }

    /** Reads an unpacked application once: descriptors, class files, then initializers, which depend on both. */
    private static final class ApplicationReading {

        private static final String WEB_XML = "WEB-INF/web.xml";

        /** Tomcat's own descriptor of an application: its web.xml overrides it, and it overrides the server's defaults. */
        private static final String TOMCAT_WEB_XML = "WEB-INF/tomcat-web.xml";

        private final Descriptor main;
        private final ClassesDirectory classes;
        /** The libraries that are scanned, in order. */
        private final List<LibraryJar> libraries;

        /** The names of the ordered libraries; null if no order is specified. */
        private final @Nullable List<String> ordered;

        private final Initializers initializers;
        private final ClassFiles files;
        private final ClassLoader loader;

        private final Path work;
        /** The descriptor of highest precedence first. */
        private final List<Descriptor> defaults = new ArrayList<>();

        /** WEB-INF/classes first, then the libraries in order. */
        private List<ScannedPlace> places = List.of();

        private int cached;
        private int scanned;
        private long scanNanos;

        /**
         * Reads an application.
         *
         * @param work the application's work directory, which is kept between starts
         */
        ApplicationReading(
                Path docBase,
                Libraries jars,
                WebAppClassLoader loader,
                ClassLoader parent,
                Path work,
                DeploymentOptions options)
                throws DeploymentException, IOException {
            this.main = descriptor(WEB_XML, docBase);
            if (Files.exists(docBase.resolve(TOMCAT_WEB_XML))) {
                this.defaults.add(descriptor(TOMCAT_WEB_XML, docBase));
            }
            this.defaults.addAll(options.defaults().read());
            this.classes = new ClassesDirectory(docBase.resolve("WEB-INF/classes"));
            List<LibraryJar> all = jars.ordered(main);
            this.ordered =
                    jars.areOrdered(main) ? all.stream().map(LibraryJar::name).toList() : null;
            this.libraries = all.stream()
                    .filter(library -> options.jars().pluggability().test(library.name()))
                    .toList();
            this.files = new ClassFiles(loader);
            this.initializers = Initializers.find(parent, classes, all, files);
            this.loader = loader;
            this.work = work;
        }

        private static Descriptor descriptor(String name, Path docBase) throws DeploymentException, IOException {
            Path file = docBase.resolve(name);
            return Files.isRegularFile(file)
                    ? DescriptorReader.read(name, Files.readAllBytes(file))
                    : new Descriptor(name);
        }

        /** The merged model of descriptors and annotations. */
        WebAppModel read() throws DeploymentException, IOException {
            JakartaCheck jakarta = new JakartaCheck(files);
            jakarta.classes(classes);
            places = scan();
            Descriptor merged = main.metadataComplete ? main : merge(places);
            defaults.forEach(weaker -> DescriptorMerge.defaults(merged, weaker));
            jakarta.components(merged);
            jakarta.libraries(libraries, places, !initializers.isEmpty());
            WebAppModel model = ModelBuilder.build(merged);
            model.orderedLibs = ordered;
            ServletClassAnnotations.apply(model, files);
            return model;
        }

        /** The initializers to call before the application starts; loads their classes. Call {@link #read} first. */
        List<Initializer> initializers() throws DeploymentException, IOException {
            return initializers.create(loader, new HandledTypes(places, loader, files));
        }

        /** The WebSocket endpoints, found without loading classes. Call {@link #read} first. */
        DeclaredEndpoints endpoints() throws IOException {
            return initializers.deploysEndpoints() ? DeclaredEndpoints.find(places, files) : DeclaredEndpoints.NONE;
        }

        /**
         * The name of a class that declares or chooses WebSocket endpoints, if no initializer deploys them; otherwise null. Call {@link
         * #read} first.
         */
        @Nullable
        String orphanedEndpoint() {
            return initializers.deploysEndpoints() ? null : DeclaredEndpoints.orphan(places);
        }

        /** WEB-INF/classes first, then the libraries in order; empty if neither annotations nor types are needed. */
        private List<ScannedPlace> scan() throws IOException {
            ScanTarget target = new ScanTarget(initializers.types());
            if (main.metadataComplete && !target.headers()) {
                return List.of();
            }
            long start = System.nanoTime();
            ApplicationScan.Result scan = ApplicationScan.scan(classes, libraries, target, work);
            cached = scan.cached();
            scanned = libraries.size() - cached;
            scanNanos = System.nanoTime() - start;
            return scan.places();
        }

        private Descriptor merge(List<ScannedPlace> places) throws DeploymentException {
            DescriptorMerge.underlay(
                    main, WebAnnotations.read(classes.source(), places.get(0).index()));
            DescriptorMerge merge = new DescriptorMerge(main);
            for (int i = 0; i < libraries.size(); i++) {
                LibraryJar library = libraries.get(i);
                Descriptor fragment = library.fragment();
                if (!fragment.metadataComplete) {
                    DescriptorMerge.underlay(
                            fragment,
                            WebAnnotations.read(
                                    library.source(), places.get(i + 1).index()));
                }
                merge.add(fragment);
            }
            return merge.finish();
        }

        int cached() {
            return cached;
        }

        int scanned() {
            return scanned;
        }

        long scanNanos() {
            return scanNanos;
        }

        /** Converts the merged descriptor into the container's model, and checks that mappings name declared servlets and filters. */
        private static final class ModelBuilder {

            private static final List<String> WELCOME_FILES = List.of("index.html", "index.htm", "index.jsp");

            /** Servlets that every container has, which web.xml may map without declaring them. */
            private static final Set<String> BUILT_IN = Set.of("default", "jsp");

            private final Descriptor descriptor;
            private final WebAppModel model = new WebAppModel();

            private ModelBuilder(Descriptor descriptor) {
                this.descriptor = descriptor;
            }

            static WebAppModel build(Descriptor descriptor) throws DeploymentException {
                ModelBuilder builder = new ModelBuilder(descriptor);
                builder.settings();
                builder.servlets();
                builder.filters();
                builder.lists();
                return builder.model;
            }

            private void settings() {
                String version = descriptor.version;
                model.version = version == null ? model.version : version;
                model.displayName = descriptor.displayName;
                model.metadataComplete = descriptor.metadataComplete;
                model.distributable = descriptor.distributable;
                model.misspelt.addAll(descriptor.misspelt);
                model.unsetPlaceholders.addAll(descriptor.unsetPlaceholders);
                model.notes.addAll(descriptor.notes);
                model.denyUncoveredHttpMethods = descriptor.denyUncoveredHttpMethods;
                model.defaultContextPath = descriptor.defaultContextPath;
                model.requestCharacterEncoding = descriptor.requestCharacterEncoding;
                model.responseCharacterEncoding = descriptor.responseCharacterEncoding;
                model.loginConfig = descriptor.loginConfig;
                descriptor.session.fill(model.session);
            }

            private void servlets() throws DeploymentException {
                for (ServletDeclaration servlet : descriptor.servlets.values()) {
                    if (servlet.className == null && servlet.jspFile == null && !BUILT_IN.contains(servlet.name)) {
                        model.notes.add(
                                "servlet \"" + servlet.name + "\" has no <servlet-class> and no <jsp-file> in "
                                        + descriptor.sources()
                                        + ", and no class is annotated with this name: unless the application adds one, requests for it get status 404");
                    }
                    servlet.fill(model.servlet(servlet.name));
                }
                descriptor.defaultServlets.forEach(name -> model.servlet(name).byDefault = true);
                model.defaultMappings.addAll(descriptor.defaultMappings);
                descriptor.servletMappings.forEach(
                        (pattern, name) -> model.servlet(name).mappings.add(pattern));
                for (ServletModel servlet : model.servlets.values()) {
                    if (!descriptor.servlets.containsKey(servlet.name) && !BUILT_IN.contains(servlet.name)) {
                        throw new DeploymentException(
                                descriptor.sources() + " maps " + servlet.mappings + " to the servlet \"" + servlet.name
                                        + "\", which is not declared; add a <servlet> or remove the <servlet-mapping>");
                    }
                }
            }

            private void filters() throws DeploymentException {
                for (FilterDeclaration filter : descriptor.filters.values()) {
                    if (filter.className == null) {
                        throw new DeploymentException("filter \"" + filter.name + "\" has no <filter-class> in "
                                + descriptor.sources() + ", and no class is annotated with this name");
                    }
                    filter.fill(model.filter(filter.name));
                }
                for (FilterMappingModel mapping : descriptor.filterMappings) {
                    if (!model.filters.containsKey(mapping.filterName())) {
                        throw new DeploymentException(
                                descriptor.sources() + " maps the filter \"" + mapping.filterName()
                                        + "\", which is not declared; add a <filter> or remove the <filter-mapping>");
                    }
                    model.filterMappings.add(mapping);
                }
            }

            private void lists() {
                model.contextParameters.putAll(descriptor.contextParameters);
                model.listeners.addAll(descriptor.listeners);
                model.welcomeFiles.addAll(descriptor.welcomeFiles.isEmpty() ? WELCOME_FILES : descriptor.welcomeFiles);
                model.errorPages.addAll(descriptor.errorPages.values());
                model.mimeTypes.putAll(StandardMimeTypes.defaults());
                model.mimeTypes.putAll(descriptor.mimeTypes);
                model.localeEncodings.putAll(descriptor.localeEncodings);
                model.namingEntries.addAll(descriptor.namingEntries.values());
                model.postConstructMethods.addAll(descriptor.postConstructMethods);
                model.preDestroyMethods.addAll(descriptor.preDestroyMethods);
                model.taglibs.putAll(descriptor.taglibs);
                model.jspPropertyGroups.addAll(descriptor.jspPropertyGroups);
                model.securityConstraints.addAll(descriptor.securityConstraints);
                model.securityRoles.addAll(descriptor.securityRoles);
            }
        }
    }
}
