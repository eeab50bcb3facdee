/** Requests over connections that stay open: so many under way at a time, each sent when the one before is answered. */
import { Agent, request } from 'node:http';

export interface Load {
  /** Requests under way at a time. */
  connections: number;
  requests: number;
  /** The path and JSON body of the n-th request. */
  ask: (n: number) => { path: string; body: object };
  /** Looks at an answer; throws when it is not what was asked for. */
  check: (n: number, answer: Answer) => void;
}

export interface Answer {
  http: number;
  /** The JSON body, by the contract's names. */
  body: Record<string, unknown>;
}

export interface Loaded {
  seconds: number;
  /** Milliseconds from sending a request to having its whole answer. */
  latencies: number[];
}

/** Puts a load on a service at this address. */
export const putLoad = async (url: string, load: Load): Promise<Loaded> => {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const latencies: number[] = [];
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (sent < load.requests) {
      const n = sent++;
      const { path, body } = load.ask(n);
      const began = performance.now();
      const text = await post(agent, `${url}${path}`, JSON.stringify(body));
      latencies.push(performance.now() - began);
      load.check(n, { http: text.http, body: JSON.parse(text.body) as Record<string, unknown> });
    }
  };
  const began = performance.now();
  try {
    await Promise.all(Array.from({ length: load.connections }, connection));
    return { seconds: (performance.now() - began) / 1_000, latencies };
  } finally {
    agent.destroy();
  }
};

/** The barest client: what it costs is taken from the same cores as the service. */
const post = (agent: Agent, url: string, body: string): Promise<{ http: number; body: string }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ http: response.statusCode!, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
