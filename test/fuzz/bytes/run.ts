/** The campaign: so many requests over so many connections, and what was seen. */
import { Connection, type Fate } from './connection.ts';
import { diceOf } from './dice.ts';
import { type Shot, shotOf } from './mutations.ts';
import { type Seed, seedsOf } from './seeds.ts';
import { faultOf, reachedHandler, statusClass } from './verdict.ts';
import type { BytesWorld } from './world.ts';

export interface Found {
  /** The number of the request, and the request itself. */
  number: number;
  shot: Shot;
  fault: string;
}

export interface Report {
  sent: number;
  reached: number;
  /** By door, then by class of status, `reached` and `sent` beside them. */
  doors: Map<string, Map<string, number>>;
  found: Found[];
  /** What was under way when the process ended. */
  underWay: Found[];
  /** Megabytes, once a second. */
  memory: number[];
  /** The longest that `/healthz` took, milliseconds. */
  slowestHealthMs: number;
}

export interface Campaign {
  seed: number;
  requests: number;
  lanes: number;
  /** Hears how far it is. */
  told?(line: string): void;
}

/** Requests of one connection: then another, from another address, goes on. */
const mostOfOne = 200;
/** Requests that are on their way at a time on a connection. */
const pipelined = 8;
/** Bytes that are no whole request are waited for so long, milliseconds. */
const brokenMs = 150;
/** A whole request is answered within so long, milliseconds; a busy machine included. */
const answeredMs = 60_000;
/** Findings after which there is no sense in going on. */
const mostFound = 20;

/** The request with this number is the same for the same seed and the same service. */
const shotNumbered = (seeds: readonly Seed[], seed: number, number: number): Shot =>
  shotOf(seeds, diceOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)));

export const runCampaign = async (
  world: BytesWorld,
  { seed, requests, lanes, told }: Campaign,
): Promise<Report> => {
  const seeds = seedsOf(world.known);
  const report: Report = {
    sent: 0,
    reached: 0,
    doors: new Map(),
    found: [],
    underWay: [],
    memory: [],
    slowestHealthMs: 0,
  };
  const pending = new Map<number, Shot>();
  let next = 0;
  let isOver = false;
  const take = (): number | undefined =>
    next < requests && world.death() === undefined && report.found.length < mostFound ? next++ : undefined;
  const asked = async (connection: Connection, number: number, shot: Shot): Promise<void> => {
    pending.set(number, shot);
    const fate = await fateOf(connection, shot);
    // What is under way while the process dies is told of together.
    if (world.death() === undefined || typeof fate !== 'string') pending.delete(number);
    note(report, number, shot, fate);
  };

  const lane = async (own: number): Promise<void> => {
    let turn = 0;
    const address = (): string => addressOf(own, turn++);
    let talk = new Connection(world.port, address());
    let used = 0;
    let waiting: Promise<void>[] = [];
    for (let number = take(); number !== undefined; number = take()) {
      const shot = shotNumbered(seeds, seed, number);
      if (!shot.isFramed) {
        await asked(new Connection(world.port, address()), number, shot);
        continue;
      }
      if (talk.isClosed || used >= mostOfOne) {
        await Promise.all(waiting.splice(0));
        talk.leave();
        talk = new Connection(world.port, address());
        used = 0;
      }
      used += 1;
      waiting.push(asked(talk, number, shot));
      if (waiting.length >= pipelined) {
        await Promise.all(waiting);
        waiting = [];
      }
    }
    await Promise.all(waiting);
    talk.leave();
  };

  const watch = watching(world, report, () => isOver, told);
  await Promise.all(Array.from({ length: lanes }, (_, own) => lane(own)));
  isOver = true;
  await watch;
  if (world.death() !== undefined)
    for (const [number, shot] of pending) report.underWay.push({ number, shot, fault: world.death()! });
  return report;
};

/** Nobody fails so often from one address that it is shut out. */
const addressOf = (lane: number, turn: number): string =>
  `127.${1 + (lane % 200)}.${1 + (Math.floor(turn / 250) % 250)}.${1 + (turn % 250)}`;

const fateOf = async (connection: Connection, shot: Shot): Promise<Fate> => {
  const answer = connection.ask(shot.bytes, shot.isHead);
  if (!shot.isFramed && shot.ending === 'halfClose') connection.halfClose();
  const late = setTimeout(
    () => (shot.isFramed || shot.ending !== 'reset' ? connection.leave('silent') : connection.reset()),
    shot.isFramed ? answeredMs : brokenMs,
  );
  const fate = await answer;
  clearTimeout(late);
  if (!shot.isFramed) connection.leave();
  return fate;
};

const note = (report: Report, number: number, shot: Shot, fate: Fate): void => {
  report.sent += 1;
  const counts = report.doors.get(shot.door) ?? new Map<string, number>();
  report.doors.set(shot.door, counts);
  const reached = reachedHandler(shot, fate);
  if (reached) report.reached += 1;
  for (const name of ['sent', ...(reached ? ['reached'] : []), statusClass(fate)])
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const fault = shot.isFramed && fate === 'silent' ? `no answer within ${answeredMs} ms` : faultOf(fate);
  if (fault !== undefined) report.found.push({ number, shot, fault });
};

const watching = async (
  world: BytesWorld,
  report: Report,
  isOver: () => boolean,
  told?: (line: string) => void,
): Promise<void> => {
  let toldAt = 0;
  while (!isOver() && world.death() === undefined) {
    const began = performance.now();
    await fetch(`${world.service.url}/healthz`)
      .then((answer) => answer.text())
      .catch(() => {});
    report.slowestHealthMs = Math.max(report.slowestHealthMs, performance.now() - began);
    if (world.death() === undefined) report.memory.push(world.memory());
    if (told && began - toldAt > 30_000) {
      toldAt = began;
      told(
        `${report.sent} sent, ${report.reached} reached, ${Math.round(report.memory.at(-1) ?? 0)} MB, ${report.found.length} found`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};
