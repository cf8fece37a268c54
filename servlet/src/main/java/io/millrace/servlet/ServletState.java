package io.millrace.servlet;

import java.time.Duration;

/**
 * What has been counted of the requests that were mapped to a servlet, forwards and includes excluded, since its application started.
 *
 * @param name the servlet's
 * @param requests that have ended
 * @param errors those of them with a status from 400
 * @param time how long they took in all, each from its arrival to the end of its response
 * @param longest how long the longest took
 * @param load how long it took to create and initialize the servlet; zero if that has not been done
 */
public record ServletState(String name, long requests, long errors, Duration time, Duration longest, Duration load) {}
