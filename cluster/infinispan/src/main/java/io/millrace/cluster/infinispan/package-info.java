/** Sessions of several servers in their own memory: Infinispan, embedded. */
@NullMarked
package io.millrace.cluster.infinispan;

import org.jspecify.annotations.NullMarked;
