package io.millrace.servlet.deploy.loader;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Deregisters an application's JDBC drivers. DriverManager shows a driver only to classes whose loader sees it, and gives it
 * up only to those; so {@link WebAppClassLoader} defines this class once more, as one of the application's.
 */
public final class DriverRelease implements Supplier<List<String>> {

    /** As reflection wants it. */
    public DriverRelease() {}

    /** Does it, and says which: their class names. */
    @Override
    public List<String> get() {
        List<String> names = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (Objects.equals(driver.getClass().getClassLoader(), DriverRelease.class.getClassLoader())) {
                try {
                    DriverManager.deregisterDriver(driver);
                    names.add(driver.getClass().getName());
                } catch (SQLException | SecurityException refused) {
                    names.add(driver.getClass().getName() + " (not: " + refused + ")");
                }
            }
        }
        return names;
    }
}
