/** The Proxy element of a Host, which Tomcat does not have. */
@NullMarked
package io.millrace.standalone.config.proxy;

import org.jspecify.annotations.NullMarked;
