package io.millrace.exchange;

import io.millrace.io.Timers;
import io.millrace.workers.Workers;

/** What all exchanges of one dispatcher share. */
record ExchangeContext(Workers workers, Timers timers, ExchangeOptions options, Attributes given) {}
