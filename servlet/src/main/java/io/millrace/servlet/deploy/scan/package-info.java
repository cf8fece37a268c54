/** Scans an application's classes and JARs for annotations and types, with a cache of the results. */
@NullMarked
package io.millrace.servlet.deploy.scan;

import org.jspecify.annotations.NullMarked;
