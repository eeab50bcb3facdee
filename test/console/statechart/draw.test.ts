import { describe, expect, it } from 'vitest';
import { draw } from '../../../src/console/statechart/draw.ts';
import { svgElement, svgToMarkup, type SvgElement } from '../../../src/console/statechart/svgElement.ts';
import type { ChartHighlights } from '../../../src/console/statechart/highlightClasses.ts';
import { renderChartSvg } from '../../../src/console/statechart/renderChartSvg.ts';
import { everyChart } from './charts.ts';

const call = everyChart.find(({ kind }) => kind === 'call')!.layout;

const below = (part: SvgElement | string): SvgElement[] =>
  typeof part === 'string' ? [] : [part, ...part.children.flatMap(below)];

/** All elements of the call's drawing by id. */
const drawn = (unfolded: readonly string[], marks: ChartHighlights = {}): Map<string, SvgElement> => {
  const { parts } = draw(call, { unfolded: new Set(unfolded), marks });
  const named = parts.flatMap(below).filter(({ attributes }) => 'id' in attributes);
  return new Map(named.map((one) => [String(one.attributes['id']), one]));
};

const classOf = (elements: Map<string, SvgElement>, id: string): string[] =>
  String(elements.get(id)!.attributes['class']).split(' ');

/** What stands where: everything but the sign of folding. */
const places = (elements: Map<string, SvgElement>): [string, unknown][] =>
  [...elements].map(([id, { attributes, children }]) => [
    id,
    {
      ...attributes,
      class: undefined,
      outline: children.find((one) => typeof one !== 'string' && one.attributes['class'] === 'outline'),
    },
  ]);

describe('the drawing of a call', () => {
  it('shows the inside of a state when it is unfolded, and of states around it', () => {
    expect(drawn([]).has('state:answered.listening')).toBe(false);
    expect(drawn(['answered']).has('state:answered.listening')).toBe(true);
    expect(drawn(['answered.survey']).has('state:answered.survey.asking')).toBe(false);
    expect(drawn(['answered', 'answered.survey']).has('state:answered.survey.asking')).toBe(true);
  });

  it('moves nothing when a state is folded or unfolded', () => {
    const compounds = call.levels.map(({ id }) => id).filter((id) => id !== '');
    const all = new Map(places(drawn(compounds)));
    for (const folded of [...compounds, '']) {
      const rest = places(drawn(compounds.filter((id) => id !== folded)));
      for (const [id, place] of rest) expect([id, place]).toEqual([id, all.get(id)]);
    }
  });

  it('says in the words of a page what is no name of the chart', () => {
    const words = {
      heading: (kind: string, version: number) => `${kind}, versão ${version}`,
      inAnyState: 'Em qualquer estado',
      fromAnyStateTo: (state: string) => `De qualquer estado para ${state}`,
      fromOutside: 'de fora',
      after: 'após',
      otherwise: 'senão',
    };
    const unfolded = new Set(call.levels.map(({ id }) => id));
    const said = (own: { words?: typeof words }): string =>
      draw(call, { unfolded, ...own })
        .parts.map((part) => svgToMarkup(part))
        .join('');
    const english =
      /, version \d|[Ii]n any state|[Ff]rom any state|from outside|(?<=>|> |↻ |, )(?:after|else)\b/g;
    expect(new Set(said({}).match(english))).toEqual(
      new Set([', version 1', 'In any state', 'From any state', 'from outside', 'after', 'else']),
    );
    const inPortuguese = said({ words });
    expect(inPortuguese.match(english)).toBeNull();
    for (const word of [
      'call, versão 1',
      'Em qualquer estado<',
      'De qualquer estado para ',
      '↳ de fora<',
      '>após ',
      'senão<',
    ])
      expect(inPortuguese).toContain(word);
  });

  it('has an element of its own for each transition', () => {
    const { parts } = draw(call, { unfolded: new Set(call.levels.map(({ id }) => id)) });
    const all = parts.flatMap(below);
    const found = new Set(all.map(({ attributes }) => attributes['data-transition']));
    const spoken = new Set(
      all.flatMap(({ attributes }) => String(attributes['data-transitions'] ?? '').split(' ')),
    );
    const missing = call.transitions.filter(
      ({ id, event }) => event !== '*' && !found.has(id) && !spoken.has(String(id)),
    );
    expect(missing).toEqual([]);
  });

  it('lights the states that were entered, the one that is active, and what holds them', () => {
    const lit = drawn(['answered'], {
      active: 'answered.listening',
      entered: new Set(['preparing', 'dialing.ringing']),
    });
    expect(classOf(lit, 'state:preparing')).toContain('entered');
    expect(classOf(lit, 'state:dialing')).toContain('entered');
    expect(classOf(lit, 'state:answered')).toContain('active');
    expect(classOf(lit, 'state:answered.listening')).toContain('active');
    expect(classOf(lit, 'state:closing')).toEqual(['station', 'state']);
  });

  it('lights a guess in another way than what is known', () => {
    const [known, guessed] = ['preparing', 'scheduled'].map(
      (from) => call.transitions.find((one) => one.from === from && one.to === 'due')!.id,
    );
    const lit = drawn([], {
      taken: new Map([
        [known!, 'known'],
        [guessed!, 'guessed'],
      ]),
    });
    expect(classOf(lit, 'line::preparing>due')).toEqual(['line', 'spine', 'taken']);
    expect(classOf(lit, 'line::scheduled>due')).toEqual(['line', 'rail', 'taken', 'guessed']);
    expect(classOf(lit, 'line::settling>due')).toEqual(['line', 'rail']);
  });

  it('lights answers that several states share where a way through them was taken', () => {
    const digit = call.transitions.find(
      ({ from, guard }) => from === 'answered.listening' && guard === 'play',
    )!;
    const shared = 'answers:answered:digitReceived';
    expect(classOf(drawn(['answered']), shared)).not.toContain('entered');
    const lit = drawn(['answered'], { taken: new Map([[digit.id, 'known']]) });
    expect(classOf(lit, shared)).toContain('entered');
    expect(classOf(lit, `line:answered:answered.listening>${shared}`)).toContain('taken');
    expect(classOf(lit, `line:answered:${shared}>answered.acting`)).toContain('taken');
  });

  it('counts machines in each state, and their sum on what holds it', () => {
    const counted = drawn(['answered'], {
      counts: { 'answered.speaking': 12_300, 'answered.listening': 200, retrying: 7 },
    });
    const countOn = (id: string): unknown =>
      below(counted.get(`state:${id}`)!).find(({ attributes }) => attributes['class'] === 'count')
        ?.children[0];
    expect([
      countOn('answered.speaking'),
      countOn('answered'),
      countOn('retrying'),
      countOn('closing'),
    ]).toEqual(['12k', '13k', '7', undefined]);
  });

  it('puts a prefix before every id, for pages with several charts', () => {
    const { parts } = draw(call, { unfolded: new Set(), idPrefix: 'a-' });
    const ids = parts
      .flatMap(below)
      .flatMap(({ attributes }) => ('id' in attributes ? [attributes['id']] : []));
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id) => !String(id).startsWith('a-'))).toEqual([]);
  });
});

describe('markup', () => {
  it('escapes what charts and pages put into it', () => {
    const text = svgToMarkup(svgElement('text', { id: '"a" & <b>', hidden: undefined }, '</text><script>&'));
    expect(text).toBe('<text id="&quot;a&quot; &amp; &lt;b&gt;">&lt;/text&gt;&lt;script&gt;&amp;</text>');
  });

  it('of a document names its chart, and asks nothing of the outside', () => {
    const svg = renderChartSvg(call);
    expect(svg).toContain('<title>call, version 1</title>');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|<script/);
  });
});
