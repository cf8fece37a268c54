package io.millrace.servlet.deploy;

import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.resource.ExtraResources;

/**
 * How an application is read, and its classes are found.
 *
 * @param delegate the parent class loader first, then the application (Tomcat's {@code <Loader delegate="true"/>})
 * @param containerClasses the application may see the container's own classes: for management applications only
 * @param defaults what its descriptors need not say
 * @param extra files from elsewhere that appear among its own
 * @param links where symbolic links among its files may lead, if there are such files
 * @param jars which of its libraries are looked into
 */
public record DeploymentOptions(
        boolean delegate,
        boolean containerClasses,
        DefaultDescriptors defaults,
        ExtraResources extra,
        SymbolicLinks links,
        JarFilter jars) {

    /** The application's classes first, the container's hidden. */
    public static final DeploymentOptions DEFAULT = new DeploymentOptions(
            false, false, DefaultDescriptors.NONE, ExtraResources.NONE, SymbolicLinks.INSIDE, JarFilter.ALL);

    /** With the parent class loader first, or the application. */
    public DeploymentOptions withDelegate(boolean value) {
        return new DeploymentOptions(value, containerClasses, defaults, extra, links, jars);
    }

    /** With what the descriptors need not say. */
    public DeploymentOptions withDefaults(DefaultDescriptors value) {
        return new DeploymentOptions(delegate, containerClasses, value, extra, links, jars);
    }

    /** With files from elsewhere. */
    public DeploymentOptions withExtra(ExtraResources value, SymbolicLinks followed) {
        return new DeploymentOptions(delegate, containerClasses, defaults, value, followed, jars);
    }

    /** With libraries that are not looked into. */
    public DeploymentOptions withJars(JarFilter value) {
        return new DeploymentOptions(delegate, containerClasses, defaults, extra, links, value);
    }
}
