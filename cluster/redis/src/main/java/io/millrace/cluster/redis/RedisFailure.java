package io.millrace.cluster.redis;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** What a failure of Redis means: whether the call is worth another attempt, and what the operator should do. */
final class RedisFailure {

    private static final int OLDEST = 6;

    private RedisFailure() {}

    /** After a failover, connections may lead to what is a replica now; without an answer in time, there is no time left. */
    static boolean isWorthAnother(JedisException failure) {
        return failure instanceof JedisConnectionException
                ? !isCausedBy(SocketTimeoutException.class, failure) && isAfterSending(failure)
                : startsWith("READONLY", failure);
    }

    /** A connection that could not be made cannot be made at once either. */
    private static boolean isAfterSending(JedisException failure) {
        return !isCausedBy(ConnectException.class, failure) && !isCausedBy(UnknownHostException.class, failure);
    }

    /** Whether nodes of a cluster are handing over the keys of the call, which takes milliseconds. */
    static boolean isForNow(JedisDataException failure) {
        return startsWith("TRYAGAIN", failure);
    }

    private static boolean startsWith(String code, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).startsWith(code)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCausedBy(Class<? extends Throwable> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** What is said of a call that has taken too long. */
    static String late(String engine, long timeoutMillis) {
        return "Redis at " + engine + " did not answer within " + timeoutMillis + " ms";
    }

    /** Without the full stop that Jedis writes. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message.replaceAll("\\.$", "");
    }

    /** A failure as a sentence for the operator, with what to do. */
    static String sentence(JedisException failure, String engine, long timeoutMillis) {
        String reason = String.valueOf(failure.getMessage());
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        for (Throwable ofNode : root.getSuppressed()) { // of a cluster
            if (ofNode instanceof JedisException known) {
                return sentence(known, engine, timeoutMillis);
            }
        }
        if (startsWith("WRONGPASS", failure) || startsWith("ERR invalid password", failure)) {
            return "Redis at " + engine + " refuses the user or the password; correct uri, or password";
        }
        if (startsWith("NOAUTH", failure)) {
            return "Redis at " + engine + " asks for a password; add :PASSWORD@ before the host in uri, or password=";
        }
        if (startsWith("ERR unknown command `HELLO`", failure)) {
            return "Redis at " + engine + " is older than version " + OLDEST
                    + ", which is needed: update it, or use another engine";
        }
        if (startsWith("NOPERM", failure)) {
            return "Redis at " + engine + " does not permit what sessions need (" + root.getMessage()
                    + "); give the user +@all ~millrace:*";
        }
        if (startsWith("ERR DB index", failure)) {
            return "Redis at " + engine
                    + " has no such database; correct the number at the end of uri, or raise databases of Redis";
        }
        if (startsWith("OOM", failure)) {
            return "Redis at " + engine + " is full; raise its maxmemory";
        }
        if (startsWith("READONLY", failure)) {
            return "Redis at " + engine + " is a replica; name the master in uri, or use Sentinels (?sentinel=NAME)";
        }
        if (startsWith("WRONGTYPE", failure)) {
            return "Redis at " + engine + " has other data under a key of sessions; use a database of its own";
        }
        if (isCausedBy(SSLException.class, failure)) {
            return "TLS to Redis at " + engine + " failed: " + root.getMessage()
                    + "; check that it speaks TLS there, and that caCertificateFile has the certificate of its authority";
        }
        if (isCausedBy(SocketTimeoutException.class, failure)) {
            return late(engine, timeoutMillis);
        }
        if (failure instanceof JedisConnectionException
                || failure instanceof JedisClusterOperationException
                || isCausedBy(IOException.class, failure)) {
            return "Redis at " + engine + " cannot be reached (" + reason(root) + "); start it, or correct uri";
        }
        return "Redis at " + engine + " failed: "
                + (failure.getCause() == null ? reason : reason + ": " + root.getMessage());
    }
}
