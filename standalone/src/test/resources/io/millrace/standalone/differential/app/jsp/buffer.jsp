<%@ page buffer="none" autoFlush="true" session="true" %>a<% response.setHeader("X-Late", "1"); %>b <%= session.isNew() %>
