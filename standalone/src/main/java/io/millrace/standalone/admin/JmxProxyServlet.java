package io.millrace.standalone.admin;

import io.millrace.standalone.log.StandaloneLog;
import io.millrace.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of this process as text, as Tomcat's {@code JMXProxyServlet} shows them: {@code ?qry=NAME}, {@code
 * ?get=NAME&att=ATTRIBUTE&key=KEY}, {@code ?set=NAME&att=ATTRIBUTE&val=VALUE}, {@code ?invoke=NAME&op=OPERATION&ps=ARGUMENT,…}. The status
 * is 200 also for {@code Error - } (unlike in Tomcat without a stack trace). What changes something is logged with its user.
 */
public final class JmxProxyServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Creates the servlet. */
    public JmxProxyServlet() {}

    /** From now on there is somebody who can read the server's MBeans. */
    @Override
    public void init() {
        if (getServletContext().getAttribute(Administration.ATTRIBUTE) instanceof Administration host) {
            host.server().showBeans();
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        PrintWriter out = response.getWriter();
        try {
            out.print(answer(request));
        } catch (JMException | JMRuntimeException | IllegalArgumentException e) {
            Throwable shown = e.getCause() == null ? e : e.getCause();
            String error = "Error - " + shown.toString().replaceAll("\\p{Cntrl}", " ");
            String changed =
                    request.getParameter("set") == null ? request.getParameter("invoke") : request.getParameter("set");
            out.println(
                    changed == null || request.getParameter("get") != null ? error : logged(request, changed, error));
        }
    }

    private static String answer(HttpServletRequest request) throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        String get = request.getParameter("get");
        String set = request.getParameter("set");
        String invoke = request.getParameter("invoke");
        if (get != null) {
            return get(beans, get, request);
        }
        if (set != null) {
            ObjectName name = new ObjectName(set);
            String attribute = required(request, "att");
            set(beans, name, attribute, request.getParameter("val"));
            return logged(request, "set " + name + " " + attribute, "OK - Attribute set\n");
        }
        if (invoke != null) {
            ObjectName name = new ObjectName(invoke);
            String operation = required(request, "op");
            Object result = invoke(beans, name, operation, request.getParameter("ps"));
            String first = "OK - Operation " + operation;
            return logged(
                    request,
                    "invoke " + name + " " + operation,
                    result == null ? first + " without return value\n" : first + " returned:\n" + shown(result) + "\n");
        }
        String query = request.getParameter("qry");
        return query(beans, query == null ? "*:*" : query);
    }

    private static String logged(HttpServletRequest request, String what, String answer) {
        StandaloneLog.ADMIN.commandDone(
                "/jmxproxy",
                Printable.of(what),
                String.valueOf(request.getRemoteUser()),
                request.getRemoteAddr(),
                answer.lines().findFirst().orElse(""));
        return answer;
    }

    private static String required(HttpServletRequest request, String parameter) {
        String value = request.getParameter(parameter);
        if (value == null) {
            throw new IllegalArgumentException("the parameter " + parameter + " is missing");
        }
        return value;
    }

    private static String get(MBeanServer beans, String name, HttpServletRequest request) throws JMException {
        String attribute = required(request, "att");
        String key = request.getParameter("key");
        Object value = beans.getAttribute(new ObjectName(name), attribute);
        String where = "OK - Attribute get '" + name + "' - " + attribute;
        if (key == null) {
            return where + " = " + shown(value) + "\n";
        }
        if (!(value instanceof CompositeData data)) {
            throw new IllegalArgumentException(attribute + " has no keys: its value is not composed of others");
        }
        return where + " - key '" + key + "' = " + shown(data.get(key)) + "\n";
    }

    private static void set(MBeanServer beans, ObjectName name, String attribute, @Nullable String text)
            throws JMException {
        for (MBeanAttributeInfo each : beans.getMBeanInfo(name).getAttributes()) {
            if (each.getName().equals(attribute)) {
                beans.setAttribute(name, new Attribute(attribute, value(each.getType(), text)));
                return;
            }
        }
        throw new IllegalArgumentException(name + " has no attribute " + attribute);
    }

    /** @param list the arguments, separated by commas */
    private static @Nullable Object invoke(MBeanServer beans, ObjectName name, String operation, @Nullable String list)
            throws JMException {
        List<String> texts = list == null || list.isEmpty() ? List.of() : Arrays.asList(list.split(",", -1));
        MBeanInfo info = beans.getMBeanInfo(name);
        List<IllegalArgumentException> refused = new ArrayList<>();
        for (MBeanOperationInfo each : info.getOperations()) {
            MBeanParameterInfo[] parameters = each.getSignature();
            if (each.getName().equals(operation) && parameters.length == texts.size()) {
                try {
                    Object[] values = new Object[parameters.length];
                    String[] types = new String[parameters.length];
                    for (int i = 0; i < parameters.length; i++) {
                        types[i] = parameters[i].getType();
                        values[i] = value(types[i], texts.get(i));
                    }
                    return beans.invoke(name, operation, values, types);
                } catch (IllegalArgumentException overload) {
                    refused.add(overload);
                }
            }
        }
        if (!refused.isEmpty()) {
            throw refused.get(0);
        }
        throw new IllegalArgumentException("Cannot find operation [" + operation + "] with [" + texts.size()
                + "] arguments on object name [" + name + "], which is a [" + info.getClassName() + "]");
    }

    /** A value of a type by its text; {@code null} and an absent text are null. */
    private static @Nullable Object value(String type, @Nullable String text) {
        if (text == null || text.equals("null") && !type.equals("java.lang.String")) {
            return null;
        }
        return switch (type) {
            case "java.lang.String", "java.lang.Object" -> text;
            case "boolean", "java.lang.Boolean" -> Boolean.valueOf(text);
            case "byte", "java.lang.Byte" -> Byte.valueOf(text);
            case "short", "java.lang.Short" -> Short.valueOf(text);
            case "int", "java.lang.Integer" -> Integer.valueOf(text);
            case "long", "java.lang.Long" -> Long.valueOf(text);
            case "float", "java.lang.Float" -> Float.valueOf(text);
            case "double", "java.lang.Double" -> Double.valueOf(text);
            case "char", "java.lang.Character" -> character(text);
            case "javax.management.ObjectName" -> objectName(text);
            default -> throw new IllegalArgumentException("a value of the type " + type + " cannot be given as text");
        };
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not one character");
        }
        return text.charAt(0);
    }

    private static ObjectName objectName(String text) {
        try {
            return new ObjectName(text);
        } catch (JMException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static String query(MBeanServer beans, String query) throws JMException {
        StringBuilder text = new StringBuilder();
        TreeSet<ObjectName> names = new TreeSet<>(beans.queryNames(new ObjectName(query), null));
        text.append("OK - Number of results: ").append(names.size()).append("\n\n");
        for (ObjectName name : names) {
            describe(beans, name, text);
        }
        return text.toString();
    }

    private static void describe(MBeanServer beans, ObjectName name, StringBuilder to) {
        MBeanInfo info;
        try {
            info = beans.getMBeanInfo(name);
        } catch (JMException gone) {
            return; // unregistered meanwhile
        }
        to.append("Name: ").append(name).append('\n');
        to.append("modelerType: ").append(info.getClassName()).append('\n');
        for (MBeanAttributeInfo each : info.getAttributes()) {
            if (each.isReadable()) {
                try {
                    Object value = beans.getAttribute(name, each.getName());
                    if (value != null) {
                        to.append(escaped(each.getName()))
                                .append(": ")
                                .append(lines(value))
                                .append('\n');
                    }
                } catch (JMException | RuntimeException | LinkageError unavailable) {
                    // some attributes exist only on some systems
                }
            }
        }
        to.append('\n');
    }

    private static String escaped(String text) {
        return text.replaceAll("[\\r\\n]", " ");
    }

    /** With an array's elements on lines of their own. */
    private static String lines(Object value) {
        if (!value.getClass().isArray()) {
            return escaped(shown(value));
        }
        int length = Array.getLength(value);
        StringBuilder text =
                new StringBuilder("Array[" + value.getClass().getComponentType().getName() + "] of length " + length);
        for (int i = 0; i < length; i++) {
            text.append("\n\t").append(escaped(shown(Array.get(value, i))));
        }
        return text.toString();
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof CompositeData data) {
            List<String> entries = new ArrayList<>();
            for (String key : new TreeSet<>(data.getCompositeType().keySet())) {
                entries.add(key + "=" + shown(data.get(key)));
            }
            return "{" + String.join(", ", entries) + "}";
        }
        if (value instanceof TabularData table) {
            return table.values().stream().map(JmxProxyServlet::shown).toList().toString();
        }
        if (value != null && value.getClass().isArray()) {
            List<String> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(shown(Array.get(value, i)));
            }
            return elements.toString();
        }
        return String.valueOf(value);
    }
}
