/** Sessions of several servers in Redis or Valkey. */
@NullMarked
package io.millrace.cluster.redis;

import org.jspecify.annotations.NullMarked;
