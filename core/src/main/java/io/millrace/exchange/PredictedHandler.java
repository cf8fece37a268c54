package io.millrace.exchange;

/** A handler that may block, and tells for each exchange which of its routes that belongs to. */
public interface PredictedHandler extends HttpHandler {

    /** What is known of the exchange's route. Called on an I/O thread before {@link #handle}; must not block, and may be called in vain. */
    RoutePrediction prediction(HttpExchange exchange);
}
