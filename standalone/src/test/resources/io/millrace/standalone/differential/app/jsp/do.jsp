<%@ page contentType="text/plain;charset=UTF-8" import="io.millrace.standalone.differential.probe.ScriptServlet" %><% ScriptServlet.run("jsp", request, response, application); %>page ${param.a}.
