/** The settings of servlet requests, by connector and application, and of applications. */
@NullMarked
package io.millrace.servlet.settings;

import org.jspecify.annotations.NullMarked;
