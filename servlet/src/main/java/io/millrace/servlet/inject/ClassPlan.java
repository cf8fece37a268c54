package io.millrace.servlet.inject;

import java.lang.reflect.Method;
import java.util.List;

/** What is done to each instance of a class, in this order; read once. */
record ClassPlan(List<InjectionPoint> points, List<Method> postConstruct, List<Method> preDestroy) {}
