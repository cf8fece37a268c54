/** The class loader of an application, and what the application left behind. */
@NullMarked
package io.millrace.servlet.deploy.loader;

import org.jspecify.annotations.NullMarked;
