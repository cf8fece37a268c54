<%@ page contentType="text/html;charset=UTF-8" %>
<%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
<%@ taglib prefix="s" uri="/struts-tags" %>
<!DOCTYPE html>
<html lang="en">
<head>
  <title>Guest book</title>
  <link rel="stylesheet" href="<s:url value="/style.css"/>">
</head>
<body>
<h1>Guest book</h1>
<s:actionmessage/>
<p id="you">You are <c:out value="${sessionScope.you}" default="a stranger"/>.</p>
<ol>
  <c:forEach items="${guests}" var="guest"><li><c:out value="${guest.name}"/>, ${guest.age}</li></c:forEach>
</ol>
<s:form action="sign">
  <s:textfield name="name" label="Name"/>
  <s:textfield name="age" label="Age"/>
  <s:submit value="Sign"/>
</s:form>
<s:form action="note" enctype="multipart/form-data">
  <s:textfield name="title" label="Title"/>
  <s:file name="note" label="File"/>
  <s:submit value="Send"/>
</s:form>
</body>
</html>
