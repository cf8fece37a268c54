/** Finds what to deploy: the scan of an appBase, and checks of WARs. */
@NullMarked
package io.millrace.standalone.deploy;

import org.jspecify.annotations.NullMarked;
