<%@ page contentType="text/html;charset=UTF-8" %>
<%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
<!DOCTYPE html>
<html lang="en">
<head><title>Note</title></head>
<body>
<h1><c:out value="${title}"/></h1>
<p><c:out value="${noteFileName}"/></p>
<pre><c:out value="${text}"/></pre>
</body>
</html>
