/** What readers that stopped reading cost the machines: steps a second with none of them and with ten, in turn. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { putLoad } from '../http/load.ts';
import { demoToken, type RunningService } from '../http/service.ts';
import type { Bench } from '../section.ts';

const readers = 10;
/** So long the service answers the same page of metrics, and a little more, milliseconds. */
const metricsKeptMs = 1_100;
const connections = 32;
const sizes = { full: { pairs: 30, calls: 1_000 }, quick: { pairs: 1, calls: 100 } };

/** `service`: one whose sandbox takes no time. */
export const noteStalledReaders = async (
  bench: Bench,
  service: RunningService,
  adminToken: string,
): Promise<void> => {
  const { pairs, calls } = sizes[bench.quick ? 'quick' : 'full'];
  let placed = 0;
  const stepsPerSecond = async (): Promise<number> => {
    const before = await stepsOf(service, adminToken);
    const began = performance.now();
    await placeCalls(service, calls, placed);
    const took = performance.now() - began;
    placed += calls;
    return (((await stepsOf(service, adminToken)) - before) * 1_000) / took;
  };
  // The first run warms the compiler and is not noted.
  await stepsPerSecond();
  for (let pair = 0; pair < pairs; pair += 1) {
    bench.say(`pair ${pair + 1} of ${pairs}: ten stalled readers, and none …`);
    const speeds = new Map<number, number>();
    for (const open of pair % 2 === 0 ? [0, readers] : [readers, 0]) {
      const stalled = Array.from({ length: open }, () => stalledReader(service.url, adminToken));
      speeds.set(open, await stepsPerSecond());
      for (const reader of stalled) reader.leave();
    }
    bench.note('steps with ten stalled readers, beside none', {
      value: speeds.get(readers)!,
      beside: speeds.get(0)!,
      unit: '1/s',
      ratioGoal: { atLeast: 0.98 },
    });
  }
};

/** The same number may be called but so often: each is another. */
const placeCalls = async ({ url }: RunningService, calls: number, from: number): Promise<void> => {
  await putLoad(url, {
    connections,
    requests: calls,
    ask: (nth) => ({
      path: '/api/v2/MakeTTSCall.php',
      body: { tsid: demoToken, dest: `1197${String(from + nth).padStart(5, '0')}12`, text: 'Oi' },
    }),
    check: (_nth, { body }) => {
      const { status_code: code } = body['return'] as { status_code: string };
      if (code !== '0') throw new Error(`a call was refused: ${JSON.stringify(body)}`);
    },
  });
};

/** Of machines so far; asked when the service counts anew, and the calls before have ended. */
const stepsOf = async ({ url }: RunningService, adminToken: string): Promise<number> => {
  await pause(metricsKeptMs);
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  const counts = (await answer.text()).matchAll(/^ramal_steps_total\{[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

/** Asks for a stream and takes nothing of it; when it is cut off it comes back, as a page does. */
const stalledReader = (url: string, adminToken: string): { leave(): void } => {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  let hasLeft = false;
  const come = (): void => {
    if (hasLeft) return;
    socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(
      `GET /admin/api/stream?topics=now HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`,
    );
    socket.on('error', () => undefined).once('close', come);
  };
  come();
  return {
    leave: () => {
      hasLeft = true;
      socket?.destroy();
    },
  };
};
