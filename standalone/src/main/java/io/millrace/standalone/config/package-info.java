/** server.xml: read with line numbers, checked against Tomcat's vocabulary, and turned into plain records. */
@NullMarked
package io.millrace.standalone.config;

import org.jspecify.annotations.NullMarked;
