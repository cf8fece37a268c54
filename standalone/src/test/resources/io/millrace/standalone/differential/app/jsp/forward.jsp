lost<jsp:forward page="/target/forwarded?a=1"><jsp:param name="b" value="ä b"/></jsp:forward>
