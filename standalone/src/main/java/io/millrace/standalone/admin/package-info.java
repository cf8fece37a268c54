/** Administration of a running server: what operators do with applications, and the doors by which they ask for it. */
@NullMarked
package io.millrace.standalone.admin;

import org.jspecify.annotations.NullMarked;
