/** Calls of the sandbox, so many a second, for as long as it is measured. */
import { demoToken } from '../http/service.ts';

/** They end in 12, and answer. */
const numberOf = (call: number): string => `1198${String(call % 100_000).padStart(5, '0')}12`;

/** Calls that were asked for, and of them those that were refused for a while, which a client asks for again. */
interface Asked {
  placed: number;
  unavailable: number;
  /** Of each answer, milliseconds. */
  latencies: number[];
}

export const keepStepping = (
  { url }: { url: string },
  callsPerSecond: number,
): { stop(): Promise<Asked> } => {
  const underWay = new Set<Promise<unknown>>();
  let failed: unknown;
  let placed = 0;
  let unavailable = 0;
  const latencies: number[] = [];
  const place = (): void => {
    const began = performance.now();
    const one = fetch(`${url}/api/v2/MakeTTSCall.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tsid: demoToken, dest: numberOf((placed += 1)), text: 'Oi' }),
    })
      .then(async (answer) => {
        latencies.push(performance.now() - began);
        if (answer.status === 503) return void (unavailable += 1);
        const { return: said } = (await answer.json()) as { return: { status_code: string } };
        if (said.status_code !== '0') throw new Error(`a call was refused: ${JSON.stringify(said)}`);
      })
      .catch((error: unknown) => (failed ??= error))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  };
  const timer = setInterval(place, 1_000 / callsPerSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      if (failed !== undefined) throw failed as Error;
      return { placed, unavailable, latencies };
    },
  };
};
