import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { machineKinds, callMachineKind, queueOrAgentMachineKind } from '../../machines/index.ts';
import { line } from '../../machines/callQueue.ts';
import { compileChart } from '../../src/engine/step/compileChart.ts';
import { end, picked, story } from './calls.ts';
import { Story } from './story.ts';

/** Columns of the model `Call`: those above the `// living` comment, and those below. */
const schemaColumns = (): { born: string[]; living: string[] } => {
  const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const model = /model Call \{([\s\S]*?)\n\}/.exec(schema)![1]!;
  const names = (part: string): string[] =>
    [...part.matchAll(/^ {2}([a-z]\w*) /gm)].map((match) => match[1]!);
  const [born, living] = model.split('// housekeeping', 1)[0]!.split('// living');
  return { born: names(born!).slice(2), living: names(living!) };
};

describe('the registry', () => {
  it('names every kind once, and every current version compiles', () => {
    expect(machineKinds.map(({ name }) => name)).toEqual([
      'call',
      'line',
      'campaign',
      'message',
      'template',
      'delivery',
    ]);
    for (const kind of machineKinds) expect(() => compileChart(kind, kind.current)).not.toThrow();
  });
});

describe('the record of a call', () => {
  it('has the columns of the table, in its two parts', () => {
    const { born, living } = schemaColumns();
    expect(Object.keys(callMachineKind.record!.insertColumns)).toEqual(born);
    expect(Object.keys(callMachineKind.record!.updateColumns)).toEqual(living);
  });

  it('gives a value for every column, and no other', () => {
    const told = story();
    const record = callMachineKind.record!;
    const birth = record.onInsert(told.context, { shard: 'a', account: 1, id: 77 });
    expect(Object.keys(birth)).toEqual(Object.keys(record.insertColumns));
    expect(Object.keys(record.onUpdate(told.context, told.state))).toEqual(Object.keys(record.updateColumns));
    expect(birth).toMatchObject({
      campaign_id: 0,
      campaign_row: 0,
      origin: 'api',
      mode: 'play',
      audio_key: 'k',
    });
  });

  it('changes only when a caller can see something new', () => {
    const told = story();
    const life = (): string => JSON.stringify(callMachineKind.record!.onUpdate(told.context, told.state));
    const seen = [life()];
    const then = (type: string, facts: object): void => {
      told.passes(1).hears(type, { ...facts });
      if (life() !== seen.at(-1)) seen.push(life());
    };
    then('audioPrepared', { audio: [{ media: 'm', seconds: 1 }] });
    then('cleared', { route: 'r' });
    then('ringing', { leg: 1 });
    then('answered', { leg: 1 });
    then('played', { leg: 1, playback: 'p1' });
    then('hungUp', end(1));
    // Born, dialled, answered, ended.
    expect(seen).toHaveLength(4);
  });

  it('asks for nothing that has no terms', () => {
    const asked = picked({ mode: 'recordAnswer' }).all.map(({ name }) => name);
    for (const name of asked)
      expect([...Object.keys(callMachineKind.effects), 'reach', 'tell']).toContain(name);
  });
});

describe('a line', () => {
  it('says why its callers wait', () => {
    const told = new Story(line, { strategy: 'ringall', members: [], active: true });
    expect(queueOrAgentMachineKind.explain!(told.context)).toEqual([]);
    told.hears('callerJoined', { call: 5, waits: true });
    expect(queueOrAgentMachineKind.explain!(told.context)).toMatchObject([{ rule: 'line', at: told.start }]);
  });
});
