/**
 * Threads for tasks that may block. Independent of exchanges, connections and HTTP: a task is a {@link java.lang.Runnable}.
 *
 * <p>{@link Workers} is the interface that the server requires: an executor that recognizes its own threads, and is notified
 * when one of them waits for its client. {@link WorkerPool} is the default; {@link VirtualWorkers} starts one virtual thread
 * per task.
 *
 * <h2>The model of WorkerPool</h2>
 *
 * <p><b>Problem.</b> A wake-up costs some microseconds, about as much as a short servlet. An executor that wakes a thread for
 * each task spends as much on waking as on serving.
 *
 * <p><b>Rule.</b> One FIFO queue, and workers that empty it task after task. Queuing a task wakes (or starts) a worker only if
 * fewer workers are awake than the <i>target</i>, initially one worker per processor. A worker that finds the queue empty
 * yields its processor once, checks again, and then parks. Workers are woken last-in first-out, so that few threads are in
 * use, and the others end after the idle time.
 *
 * <p><b>Supervisor.</b> By this rule alone, a task might wait behind one that blocks. A timer therefore samples the workers
 * every millisecond while tasks arrive, and raises the target:
 *
 * <table>
 * <caption>The effect of a sample of a worker that is still in the same task as at the previous sample</caption>
 * <tr><th>the worker</th><th>counts as</th><th>effect on the target</th></tr>
 * <tr><td>is parked or sleeps, but not for a lock</td><td>blocked immediately</td><td>+1</td></tr>
 * <tr><td>waits for a lock, or is in the same native method twice</td><td>blocked after 10 samples: the holder of a lock
 * usually needs only a processor, and a thread that waits for a socket is <code>RUNNABLE</code> in Java</td><td>+1</td></tr>
 * <tr><td>computes</td><td>computing after 20 samples</td><td>+1, to replace it</td></tr>
 * </table>
 *
 * <p>If tasks are queued, and those that have ended recently took 500 µs or more, the target grows further: by twice the number of
 * workers that were seen blocked for the first time within their tasks, so that it doubles from sample to sample; or, if there
 * were none for 10 samples, by a quarter,
 * provided that the workers were running or runnable less than half of the time (Linux: <code>schedstat</code>; assumed on
 * other systems). The excess is halved every 20 samples. After 2 samples at which no task has ended and none is queued, the
 * supervisor sleeps until the next task. If the timer thread is blocked for 50 ms, the thread that queues a task samples.
 *
 * <p><b>Consequences.</b> Under a load of short tasks no thread is woken at all. A short task behind one that blocks is delayed
 * by one or two milliseconds, behind one that reads a socket by up to ten, once for each change of load; after that the pool
 * wakes workers immediately, like any other. There are at most <code>maxThreads</code> threads; those in {@link
 * Workers#beginWait} are not counted, up to four times as many, so that slow uploads cannot occupy all threads.
 *
 * <p><b>Failures.</b> An exception of a task is logged, and the worker continues, with its interrupt status and context class
 * loader reset. A failed start of a thread is retried after 100 ms; a task is rejected only if there is no thread at all. A
 * failing sample is logged and does not end the supervisor.
 *
 * <p>docs/design/workers.md has what was measured and what was rejected.
 */
@NullMarked
package io.millrace.workers;

import org.jspecify.annotations.NullMarked;
