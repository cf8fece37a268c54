package io.millrace.servlet.deploy;

/**
 * How an application is read, and its classes are found.
 *
 * @param delegate the parent class loader first, then the application (Tomcat's {@code <Loader delegate="true"/>})
 * @param containerClasses the application may see the container's own classes: for management applications only
 * @param defaults what its descriptors need not say
 */
public record DeploymentOptions(boolean delegate, boolean containerClasses, DefaultDescriptors defaults) {

    /** The application's classes first, the container's hidden. */
    public static final DeploymentOptions DEFAULT = new DeploymentOptions(false, false, DefaultDescriptors.NONE);
}
