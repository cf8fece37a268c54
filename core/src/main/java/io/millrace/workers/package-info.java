/**
 * Threads for tasks that may block. The package knows nothing of exchanges, connections or HTTP: it takes {@link
 * java.lang.Runnable}s.
 *
 * <p>{@link Workers} is what the server asks for: an executor that knows its own threads and can be told that one of them
 * waits for its client. {@link WorkerPool} is the default, {@link VirtualWorkers} starts one virtual thread per task.
 *
 * <h2>The model of WorkerPool</h2>
 *
 * <p><b>Problem.</b> A wake-up costs some microseconds, about as much as a short servlet. An executor that wakes a thread for
 * each task spends as much on waking as on serving.
 *
 * <p><b>Rule.</b> One FIFO queue, and workers that empty it task after task. Queuing a task wakes (or starts) a worker only if
 * fewer workers are awake than the <i>target</i>. The target begins at one worker per processor. A worker that finds the queue
 * empty yields its processor once, looks again, and then parks; the last one parked is the first one woken, so few threads stay
 * warm, and the others end after the idle time.
 *
 * <p><b>Supervisor.</b> The rule would let a task wait behind one that blocks. So a timer samples the workers every millisecond
 * while tasks come, and raises the target:
 *
 * <table>
 * <caption>What one sample makes of a worker that has been in the same task since the last sample</caption>
 * <tr><th>the worker</th><th>counts as</th><th>effect on the target</th></tr>
 * <tr><td>is parked or sleeps, but not for a lock</td><td>blocked at once</td><td>+1</td></tr>
 * <tr><td>waits for a lock, or is in the same native method twice</td><td>blocked after 10 samples: a lock's holder mostly
 * needs no more than a processor, and a thread that waits for a socket is <code>RUNNABLE</code> to Java</td><td>+1</td></tr>
 * <tr><td>computes</td><td>computing after 20 samples</td><td>+1, in its place</td></tr>
 * </table>
 *
 * <p>If tasks wait in the queue and those that ended lately took 500 µs and more, the target grows further: by as many as are
 * blocked, so that it doubles from sample to sample; or, if none is seen blocked for 10 samples, by a quarter, provided that
 * the workers wanted a processor less than half of the time (Linux: <code>schedstat</code>; elsewhere that is assumed). The surplus
 * is halved every 20 samples. After 2 samples at which nothing ended and nothing waited the supervisor sleeps until the next
 * task. If the timer thread is held up for 50 ms, the thread that queues a task samples in its place.
 *
 * <p><b>Consequences.</b> Under a load of short tasks no thread is woken at all. A short task behind one that blocks is delayed
 * by a millisecond or two, behind one that reads a socket by up to ten, once per change of load; after that the pool wakes
 * eagerly, like any other. There are at most <code>maxThreads</code> threads, but those in {@link Workers#beginWait} are not
 * counted, up to four times as many, so that slow uploads do not keep everybody out.
 *
 * <p><b>Faults.</b> Whatever a task throws is logged, and the worker goes on; its interrupt status and context class loader are
 * reset. A thread that cannot be started is tried again after 100 ms; a task is rejected only if there is no thread at all. A
 * failing sample is logged and does not end the supervisor.
 *
 * <p>Decisions 002, 021 and 033 have the measurements.
 */
@NullMarked
package io.millrace.workers;

import org.jspecify.annotations.NullMarked;
