<%@ page contentType="text/html;charset=UTF-8" %>
<%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
<%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %>
<%@ taglib prefix="s" uri="http://www.springframework.org/tags" %>
<!DOCTYPE html>
<html lang="en">
<head>
  <title>Guest book</title>
  <link rel="stylesheet" href="<c:url value="/style.css"/>">
</head>
<body>
<h1>Guest book</h1>
<c:if test="${not empty notice}"><p id="notice"><c:out value="${notice}"/></p></c:if>
<p id="you">You are <c:out value="${sessionScope.you}" default="a stranger"/>.</p>
<ol>
  <c:forEach items="${guests}" var="guest"><li><c:out value="${guest.name}"/>, ${guest.age}</li></c:forEach>
</ol>
<s:url value="/guests" var="here"/>
<form:form modelAttribute="guest" action="${here}" method="post">
  <label>Name <form:input path="name"/></label> <form:errors path="name" cssClass="error"/>
  <label>Age <form:input path="age"/></label> <form:errors path="age" cssClass="error"/>
  <button>Sign</button>
</form:form>
<form action="<c:url value="/notes"/>" method="post" enctype="multipart/form-data">
  <label>Title <input name="title"></label> <input type="file" name="note">
  <button>Send</button>
</form>
</body>
</html>
