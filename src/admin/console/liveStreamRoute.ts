/**
 * `GET /stream`: one stream of server-sent events for a page. It is fed by this node's commits and other nodes' hints, and
 * looks by itself once a second, since a hint may be lost; it tells at most four times a second.
 */
import type { Context } from 'koa';
import * as z from 'zod';
import { identifyAdministrator } from '../../access/admin/identifyAdministrator.ts';
import { getRequestAdministrator } from '../admitAndAuditAdministrator.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { neverRefusedQueryField } from '../fieldSchemas.ts';
import { AdminError, toJsonWithBigintsAsNumbers } from '../adminErrorsAndRequestParsing.ts';
import { redactForReader, type ReaderVisibility, readerVisibility } from '../redactForReader.ts';
import { ServerSentEventStream } from './serverSentEventStream.ts';
import { memoizeByObject, type StreamNewsSource } from './topic.ts';
import { openStreamTopics } from './openStreamTopics.ts';

/** Of this process. */
const mostStreams = 200;
/** Between two tellings at least; between two looks at most; between two looks at the session. Milliseconds. */
const tellMs = 250;
const lookMs = 1_000;
const sessionMs = 2_000;

export const streamRoutes = {
  'GET /stream': defineRoute({
    role: 'operator',
    summary: 'Tells of what moves as it moves: server-sent events, at most four times a second.',
    description:
      'The body is `text/event-stream`: events named as topics are, with JSON, `beat` where nothing moves, `end` when the' +
      ' session may read no longer. `Last-Event-ID` goes on where a cut stream ended, without a gap or a double. That a' +
      ' conversation is followed stands in the audit log.',
    query: z.object({
      topics: neverRefusedQueryField.describe(
        '1 to 8, separated by commas: `now`, `trunks`, `receivers` of deliveries, `people:3` (who wrote to account 3),' +
          ' `conversation:3:1:5511987650000` (of account 3, line 1), `machine:a_17@5` (after its revision 5), `campaign:12`.',
      ),
      account: neverRefusedQueryField.describe('Whose; tells small ids apart, which several accounts have.'),
      last_event_id: neverRefusedQueryField.describe('As `Last-Event-ID`, for a stream that is opened anew.'),
    }),
    answer: z.string().describe('Events, as long as the stream is open.'),
    refuses: {
      404: 'There is no such machine, campaign, account or conversation.',
      503: 'Too many streams are open here.',
    },
    example: { answer: 'retry: 1000\n\nevent: beat\ndata: {}\n\n' },
    handle: async ({ deps, ctx, query }) => {
      if (deps.live.open >= mostStreams)
        throw new AdminError(503, `${mostStreams} streams are open here already; close some pages`);
      const written = ctx.get('last-event-id') || query.last_event_id;
      const resumed = typeof written === 'string' ? written : '';
      const topics = await openStreamTopics(deps, ctx, resumed);
      // From here on the answer is ours, not Koa's.
      ctx.respond = false;
      run(deps, ctx, topics);
      return '';
    },
  }),
};

const run = (deps: AdminDeps, ctx: Context, topics: readonly StreamNewsSource[]): void => {
  const stop = new AbortController();
  const stream = new ServerSentEventStream(ctx.res, () => stop.abort());
  if (!stream.isOpen) return;
  const bell = makeBell();
  const ends = [
    deps.live.opened(() => stream.end()),
    ...topics.map((topic) => topic.watch(bell.ring)),
    every(sessionMs, () => void endWithSession(deps, ctx, stream)),
    every(lookMs, bell.ring),
  ];
  stop.signal.addEventListener('abort', () => {
    for (const end of ends) end();
    bell.ring();
  });
  deps.live.tells(tell(deps, { stream, topics, bell, textOf: textsOf(deps)[readerVisibility(ctx)] }));
};

interface Telling {
  stream: ServerSentEventStream;
  topics: readonly StreamNewsSource[];
  bell: Bell;
  /** A body as the reader may have it. */
  textOf(body: object): string;
}

/** Tells what is new, waits for the bell and a quarter of a second, and so on until the stream is closed. */
const tell = async (deps: AdminDeps, telling: Telling): Promise<void> => {
  const { stream, topics, bell } = telling;
  try {
    for (let beats = 0; stream.isOpen; beats += 1) {
      for (const topic of topics) {
        const news = stream.isOpen && (await topic.news());
        if (news) send(telling, news);
      }
      // Says that the stream lives, where nothing moves.
      if (beats % 5 === 0) stream.send({ event: 'beat', data: '{}' });
      await pause(tellMs);
      if (stream.isOpen) await bell.rung();
    }
  } catch (error) {
    // The reader comes back to where it was; by then the database may answer again.
    deps.failed(error, undefined);
    stream.end();
  }
};

const send = (
  { stream, topics, textOf }: Telling,
  { event, body }: { event: string; body: object },
): void => {
  const positions = topics.map((topic) => topic.position()).filter((position) => position !== undefined);
  stream.send({ event, data: textOf(body), id: positions.join(',') });
};

type Texts = Readonly<Record<ReaderVisibility, (body: object) => string>>;

/** A body as each reader may have it; made once for all streams that are told the same. */
const textsOf = (deps: AdminDeps): Texts => {
  const text = (sight: ReaderVisibility) =>
    memoizeByObject((body: object) => toJsonWithBigintsAsNumbers(redactForReader(deps, sight, body)));
  const texts = knownTexts.get(deps) ?? {
    ...{ whole: text('whole'), noSecrets: text('noSecrets'), masked: text('masked') },
  };
  knownTexts.set(deps, texts);
  return texts;
};

const knownTexts = new WeakMap<AdminDeps, Texts>();

/** Who may no longer read, or not as before, hears nothing more. */
const endWithSession = async (
  deps: AdminDeps,
  ctx: Context,
  stream: ServerSentEventStream,
): Promise<void> => {
  const before = getRequestAdministrator(ctx);
  const now = await identifyAdministrator(deps, ctx, deps.countedAs(ctx)).catch(() => before);
  if (typeof now !== 'string' && now.role === before.role && now.masksNumbers === before.masksNumbers) return;
  stream.send({ event: 'end', data: '{}' });
  stream.end();
};

interface Bell {
  ring(): void;
  /** Resolves when it was rung since the last time. */
  rung(): Promise<void>;
}

const makeBell = (): Bell => {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    rung: async () => {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      isRung = false;
    },
  };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const every = (ms: number, act: () => void): (() => void) => {
  const timer = setInterval(act, ms);
  return () => clearInterval(timer);
};
