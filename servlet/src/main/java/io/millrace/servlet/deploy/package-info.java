/**
 * Reads a WAR: unpacks it, creates its class loader, and merges its descriptors and annotations into one model. {@code
 * deploy.xml} reads descriptors, {@code deploy.scan} classes and jars; {@code deploy.loader} has the class loader.
 */
@NullMarked
package io.millrace.servlet.deploy;

import org.jspecify.annotations.NullMarked;
