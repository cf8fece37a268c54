package io.millrace.servlet.inject;

import java.lang.reflect.Method;
import java.util.List;

/** The injection points and life-cycle methods of a class, in the order of their use. */
record ClassPlan(List<InjectionPoint> points, List<Method> postConstruct, List<Method> preDestroy) {}
