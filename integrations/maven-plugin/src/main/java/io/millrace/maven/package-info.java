/** The goals of the Maven plugin. */
@NullMarked
package io.millrace.maven;

import org.jspecify.annotations.NullMarked;
