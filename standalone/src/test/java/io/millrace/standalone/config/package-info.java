@NullMarked
package io.millrace.standalone.config;

import org.jspecify.annotations.NullMarked;
