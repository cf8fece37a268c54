@NullMarked
package io.millrace.standalone.deploy;

import org.jspecify.annotations.NullMarked;
