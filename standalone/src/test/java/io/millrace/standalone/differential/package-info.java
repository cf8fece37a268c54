/** The same applications and requests on this build and on Tomcat 9, and what may differ. */
@NullMarked
package io.millrace.standalone.differential;

import org.jspecify.annotations.NullMarked;
