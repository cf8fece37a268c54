/** A chat with Spring Boot 2.7: HTTP, STOMP over WebSocket and over SockJS. It does not depend on Millrace. */
@NullMarked
package io.millrace.examples.boot;

import org.jspecify.annotations.NullMarked;
