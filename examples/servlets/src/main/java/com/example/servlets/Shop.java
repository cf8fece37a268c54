package com.example.servlets;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A web application without files: servlets in code. */
public final class Shop {

    private Shop() {}

    // tag::servlets
    /** Counts what one visitor puts into the cart. */
    public static final class Cart extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Object before = request.getSession().getAttribute("items");
            int items = before instanceof Integer count ? count + 1 : 1;
            request.getSession().setAttribute("items", items);
            response.getWriter().println(items + " in your cart");
        }
    }

    static Server start(int port) throws IOException {
        WebApplication shop = WebApplication.builder("/shop")
                .servlet("cart", new Cart(), "/cart")
                .build();
        return Server.builder().port(port).application(shop).start();
    }
    // end::servlets

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
        System.out.println("http://localhost:" + server.port() + "/shop/cart");
        server.awaitStop();
    }
}
