broken ${ <% int %>
