/** The class loaders of applications, and the clean-up of class loader leaks. */
@NullMarked
package io.millrace.servlet.deploy.loader;

import org.jspecify.annotations.NullMarked;
