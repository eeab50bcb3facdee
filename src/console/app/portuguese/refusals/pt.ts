/**
 * Refusals of the service in Portuguese. The service says them in English, with what it was asked for in their midst;
 * they are read back by the shapes that its sentences have. Loaded when one is shown in Portuguese.
 */
import { predicatesPt } from './predicates.pt.ts';
import { checkNamesPt, healthPt } from './healthChecks.pt.ts';
import type { RefusalRules } from './rules.ts';
import { serviceRefusalsPt } from './accessMoneyTrunks.pt.ts';
import { thingsPt } from './things.pt.ts';
import { workRefusalsPt } from './listsCampaignsTemplates.pt.ts';

interface Rule {
  shape: RegExp;
  says: string;
}

const special = /[.*+?^$()|[\]\\/]/g;

const read = (rules: RefusalRules): readonly Rule[] =>
  rules.map(([english, says]) => ({
    // Words of the request may hold line breaks.
    shape: new RegExp(
      `^${english
        .replaceAll(special, String.raw`\$&`)
        .replaceAll(/\{([a-z])\}/g, String.raw`(?<$1>\S+)`)
        .replaceAll(/\{~?(\w+)\}/g, '(?<$1>.+?)')
        .replaceAll(/[{}](?!\?)/g, String.raw`\$&`)}$`,
      's',
    ),
    says,
  }));

const sentences = read([...serviceRefusalsPt, ...workRefusalsPt]);
const predicates = read(predicatesPt);
const health = read(healthPt);

/** `inner`: says a sentence within a sentence. */
const sayBy = (
  rules: readonly Rule[],
  text: string,
  inner: (sentence: string) => string | undefined = refusalInPortuguese,
): string | undefined => {
  for (const { shape, says } of rules) {
    const parts = shape.exec(text)?.groups;
    if (parts || shape.test(text))
      return says.replaceAll(/\{(~?)(\w+)\}/g, (_, isSentence: string, name: string) =>
        isSentence ? (inner(parts?.[name] ?? '') ?? parts?.[name] ?? '') : (parts?.[name] ?? ''),
      );
  }
  return undefined;
};

const kinds = Object.keys(thingsPt).toSorted((one, other) => other.length - one.length);

/** `account 999` as `a conta 999`. */
const thing = (named: string): string => {
  const kind = kinds.find((one) => named === one || named.startsWith(`${one} `));
  return kind === undefined ? named : thingsPt[kind]! + named.slice(kind.length);
};

/** `cp_id must be a number`, `settings.host: must not be empty`: the field keeps its name. */
const ofField = (text: string): string | undefined => {
  const [, field = '', predicate = ''] = /^(the body|[\w.-]+):? (.+)$/s.exec(text) ?? [];
  const said = predicate === '' ? undefined : (sayBy(predicates, predicate) ?? nested(predicate));
  return said === undefined ? undefined : `${field === 'the body' ? 'o corpo' : field}: ${said}`;
};

/** A field within a field, of which a rule says what is wrong. */
const nested = (text: string): string | undefined =>
  /^[\w.-]+: /.test(text) ? refusalInPortuguese(text) : sayBy(sentences, text);

const absence = (text: string): string | undefined => {
  const [, named] = /^(.+) does not exist$/s.exec(text) ?? [];
  return named === undefined ? undefined : `${thing(named)} não existe`;
};

/** The sentence in Portuguese; undefined: it is none that is known. */
export const refusalInPortuguese = (sentence: string): string | undefined =>
  sayBy(sentences, sentence) ?? absence(sentence) ?? ofField(sentence);

/** What a part of the service is called; one without a name of its own here is called the same. */
export const checkNameInPortuguese = (check: string): string =>
  Object.hasOwn(checkNamesPt, check) ? checkNamesPt[check]! : check;

/** What the service says of a part of itself, of several causes each for itself; undefined: none of it is known. */
export const healthInPortuguese = (detail: string): string | undefined => {
  const whole = sayBy(health, detail, healthInPortuguese);
  const parts = detail.split('; ');
  if (whole !== undefined || parts.length === 1) return whole;
  const said = parts.map((part) => sayBy(health, part, healthInPortuguese));
  return said.every((part) => part === undefined)
    ? undefined
    : said.map((part, index) => part ?? parts[index]).join('; ');
};
