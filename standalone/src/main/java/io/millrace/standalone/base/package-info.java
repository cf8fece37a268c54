/** The files of a Tomcat base directory besides server.xml and context.xml. */
@NullMarked
package io.millrace.standalone.base;

import org.jspecify.annotations.NullMarked;
