package io.millrace.servlet.deploy;

import io.millrace.servlet.resource.ExtraResources;

/**
 * What an application is read with, besides its own files. Immutable; the {@code with…} methods make changed copies.
 *
 * @param defaults what its descriptors need not say
 * @param extra files from elsewhere that appear among its own: for clients, for its ServletContext and, below WEB-INF, for its
 *     class loader and as its descriptors
 * @param jars which of its libraries are looked into for fragments, annotations and tag libraries
 */
public record DeploymentOptions(DefaultDescriptors defaults, ExtraResources extra, JarFilter jars) {

    /** Nothing but its own files, and all of its libraries. */
    public static final DeploymentOptions DEFAULT =
            new DeploymentOptions(DefaultDescriptors.NONE, ExtraResources.NONE, JarFilter.ALL);

    /** These options with other default descriptors. */
    public DeploymentOptions withDefaults(DefaultDescriptors value) {
        return new DeploymentOptions(value, extra, jars);
    }

    /** With files from elsewhere. */
    public DeploymentOptions withExtra(ExtraResources value) {
        return new DeploymentOptions(defaults, value, jars);
    }

    /** These options with another filter of the libraries that are scanned. */
    public DeploymentOptions withJars(JarFilter value) {
        return new DeploymentOptions(defaults, extra, value);
    }
}
