package io.millrace.servlet.deploy;

import io.millrace.servlet.resource.ExtraResources;

/**
 * The options of reading an application. Immutable; the {@code with…} methods return changed copies.
 *
 * @param defaults default descriptors
 * @param extra files from outside the application that are added to its own: for clients, its ServletContext and, below WEB-INF,
 *     for its class loader and as descriptors
 * @param jars the libraries that are scanned for fragments, annotations and tag libraries
 */
public record DeploymentOptions(DefaultDescriptors defaults, ExtraResources extra, JarFilter jars) {

    /** Only its own files, and all of its libraries. */
    public static final DeploymentOptions DEFAULT =
            new DeploymentOptions(DefaultDescriptors.NONE, ExtraResources.NONE, JarFilter.ALL);

    /** These options with other default descriptors. */
    public DeploymentOptions withDefaults(DefaultDescriptors value) {
        return new DeploymentOptions(value, extra, jars);
    }

    /** These options with other extra files. */
    public DeploymentOptions withExtra(ExtraResources value) {
        return new DeploymentOptions(defaults, value, jars);
    }

    /** These options with another filter of the libraries that are scanned. */
    public DeploymentOptions withJars(JarFilter value) {
        return new DeploymentOptions(defaults, extra, value);
    }
}
