/** Main classes of processes that the plugin starts or packs. They use the server's class {@code Main} by its name. */
@NullMarked
package io.millrace.maven.launch;

import org.jspecify.annotations.NullMarked;
