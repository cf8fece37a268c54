package io.millrace.exchange;

import io.millrace.io.Timers;
import io.millrace.workers.Workers;

/** The state that all exchanges of a dispatcher share. */
record ExchangeContext(Workers workers, Timers timers, ExchangeOptions options, Attributes given) {}
