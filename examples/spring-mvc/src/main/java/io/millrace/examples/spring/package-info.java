/** A guest book with Spring MVC 5.3, without web.xml. It does not depend on Millrace. */
@NullMarked
package io.millrace.examples.spring;

import org.jspecify.annotations.NullMarked;
