package io.millrace.servlet;

import io.millrace.Application;

/** A web application: a WAR, an exploded directory, or servlets added in code. */
public interface WebApplication extends Application {}
