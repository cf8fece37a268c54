package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors that hold for every application that does not say otherwise, as Tomcat's conf/web.xml. A file is read when
 * the first application is deployed, and again when it has changed since. Any thread.
 */
public final class DefaultDescriptors {

    /** Nothing but what the container does by itself. */
    public static final DefaultDescriptors NONE = new DefaultDescriptors(Map.of());

    /** What a file said when it looked like this. */
    private record Version(FileTime modified, long size, Descriptor descriptor) {}

    private final Map<String, Path> files;
    private final Map<Path, Version> known = new HashMap<>();

    private DefaultDescriptors(Map<String, Path> files) {
        this.files = files;
    }

    /**
     * Those in these files; one that does not exist says nothing.
     *
     * @param strongestFirst by what messages call them
     */
    public static DefaultDescriptors of(Map<String, Path> strongestFirst) {
        return new DefaultDescriptors(new LinkedHashMap<>(strongestFirst));
    }

    /**
     * What is wrong with the files; empty if nothing is.
     *
     * @return sentences for the operator
     */
    public List<String> defects() {
        try {
            read();
            return List.of();
        } catch (DeploymentException e) {
            return List.of(e.getMessage());
        }
    }

    /**
     * The strongest first. They are shared: only read.
     *
     * @throws DeploymentException a file is there but can't be read or is wrong: no application may start without it
     */
    synchronized List<Descriptor> read() throws DeploymentException {
        List<Descriptor> descriptors = new ArrayList<>();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            Descriptor descriptor = read(file.getKey(), file.getValue());
            if (descriptor != null) {
                descriptors.add(descriptor);
            }
        }
        return descriptors;
    }

    private @Nullable Descriptor read(String name, Path file) throws DeploymentException {
        if (Files.notExists(file)) {
            return null;
        }
        try {
            FileTime modified = Files.getLastModifiedTime(file);
            long size = Files.size(file);
            Version version = known.get(file);
            if (version == null || !version.modified.equals(modified) || version.size != size) {
                version = new Version(modified, size, DescriptorReader.read(name, Files.readAllBytes(file)));
                known.put(file, version);
            }
            return version.descriptor;
        } catch (IOException e) {
            throw new DeploymentException(name + " cannot be read (" + e + ")", e);
        }
    }
}
