/** server.xml: parsed with line numbers, validated against Tomcat's vocabulary, and converted to records. */
@NullMarked
package io.millrace.standalone.config;

import org.jspecify.annotations.NullMarked;
