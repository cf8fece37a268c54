/** What is deployed where: context names, the scan of an appBase, what is wrong with a WAR. */
@NullMarked
package io.millrace.standalone.deploy;

import org.jspecify.annotations.NullMarked;
