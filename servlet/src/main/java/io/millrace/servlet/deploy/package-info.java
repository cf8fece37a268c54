/**
 * Reads a WAR: unpacks it, gives it a class loader, and merges what it says of itself into one model. Descriptors are in
 * {@code deploy.xml}, classes and jars in {@code deploy.scan}, the class loader in {@code deploy.loader}.
 */
@NullMarked
package io.millrace.servlet.deploy;

import org.jspecify.annotations.NullMarked;
