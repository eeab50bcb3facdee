/** Open pages as the service sees them: streams of the topic `now`, read as fast as they come. */
import { get, type IncomingMessage } from 'node:http';

export interface OpenPages {
  /** How often all of them were told figures. */
  told(): number;
  /** Steps a second as the figures said. */
  steps(): number[];
  close(): void;
}

export const openPages = (url: string, adminToken: string, pages: number): OpenPages => {
  let told = 0;
  const steps: number[] = [];
  const hear = (response: IncomingMessage): void => {
    if (response.statusCode !== 200) throw new Error(`the stream is refused: HTTP ${response.statusCode}`);
    response.setEncoding('utf8').on('data', (part: string) => {
      told += part.split('event: now').length - 1;
      const found = /"stepsPerSecond":(\d+)/.exec(part);
      if (found) steps.push(Number(found[1]));
    });
    response.on('error', () => undefined);
  };
  const requests = Array.from({ length: pages }, () =>
    get(
      `${url}/admin/api/stream?topics=now`,
      { headers: { authorization: `Bearer ${adminToken}` } },
      hear,
    ).on('error', () => undefined),
  );
  return {
    told: () => told,
    steps: () => steps,
    close: () => {
      for (const request of requests) request.destroy();
    },
  };
};
