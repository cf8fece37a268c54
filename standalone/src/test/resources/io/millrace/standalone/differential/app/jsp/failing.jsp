<%@ page errorPage="error.jsp" %>before <% if (true) throw new IllegalArgumentException("x"); %>
