/** Millrace as the embedded server of Spring Boot 2.7. */
@NullMarked
package io.millrace.boot;

import org.jspecify.annotations.NullMarked;
