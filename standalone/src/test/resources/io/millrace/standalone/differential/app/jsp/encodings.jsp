<%@ page pageEncoding="UTF-8" contentType="text/html;charset=ISO-8859-1" %>Grüße € <%= response.getCharacterEncoding() %>
