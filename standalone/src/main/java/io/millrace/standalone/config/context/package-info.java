/** Tomcat's Context and the elements in it, but Valves, Realms and resources: kinds, and what is made of them. */
@NullMarked
package io.millrace.standalone.config.context;

import org.jspecify.annotations.NullMarked;
