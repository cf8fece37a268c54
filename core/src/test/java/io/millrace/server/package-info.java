@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
