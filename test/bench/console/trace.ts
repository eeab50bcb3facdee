/** What a page's main thread did, by the browser's own trace. */
import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  args?: { name?: string; data?: { frames?: { url: string; processId: number }[] } };
}

/** The longest task of the page's main thread while something is done, milliseconds. */
export const longestTask = async (
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<number> => {
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata', 'toplevel'],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const isMain = mainThreadsOf(traceEvents);
  const tasks = traceEvents.filter((one) => one.name === 'RunTask' && one.ph === 'X' && isMain(one));
  if (tasks.length === 0) throw new Error('the trace tells of no task of the page');
  return tasks.reduce((longest, { dur = 0 }) => Math.max(longest, dur), 0) / 1_000;
};

/** Threads that run pages; there is one page. */
const mainThreadsOf = (events: readonly TraceEvent[]): ((event: TraceEvent) => boolean) => {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return ({ pid, tid }) => mains.has(`${pid} ${tid}`);
};
