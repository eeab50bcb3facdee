/** What the keypad does: `dtmf`, `dtmf2` … `dtmf11`, each `[keys|]action` (decisions "dtmf values"). */
import type { DtmfKeyAction } from '../../../machines/call/input.ts';
import { type NormalizePhoneNumber, parseLegTarget } from './legTarget.ts';

/** The parameters in order, and the key that each means when it names none. */
export const dtmfParameterKeys: readonly (readonly [parameter: string, key: string])[] = [
  ['dtmf', '1'],
  ['dtmf2', '2'],
  ['dtmf3', '3'],
  ['dtmf4', '4'],
  ['dtmf5', '5'],
  ['dtmf6', '6'],
  ['dtmf7', '7'],
  ['dtmf8', '8'],
  ['dtmf9', '9'],
  ['dtmf10', '0'],
  ['dtmf11', '*'],
];

const words: Readonly<Record<string, DtmfKeyAction>> = {
  replay: { do: 'replay' },
  hangup: { do: 'hangUp' },
  optout: { do: 'optOut' },
};

/**
 * Reads the parameters that were given into key → action. `#` is no key here: it ends input.
 * Answers a sentence naming the parameter when one cannot be read, or when two claim the same key.
 */
export const readKeyActions = (
  given: Readonly<Record<string, string | undefined>>,
  normalize: NormalizePhoneNumber,
): { keys: Record<string, DtmfKeyAction> } | { refused: string } => {
  const keys: Record<string, DtmfKeyAction> = {};
  for (const [parameter, usual] of dtmfParameterKeys) {
    const value = given[parameter];
    if (value === undefined) continue;
    const read = readKeyAction(value, usual, normalize);
    if (!read)
      return {
        refused: `${parameter} must be [keys|]action, action being content<n>, text<n>, a number, RT<id>, WA<number>, FI<id>, replay, hangup or optout`,
      };
    for (const key of read.keys) {
      if (keys[key]) return { refused: `${parameter} gives key ${key} a second action` };
      keys[key] = read.action;
    }
  }
  return { keys };
};

const readKeyAction = (
  text: string,
  usual: string,
  normalize: NormalizePhoneNumber,
): { keys: string[]; action: DtmfKeyAction } | undefined => {
  const bar = text.indexOf('|');
  const keys = bar < 0 ? usual : text.slice(0, bar).replaceAll(/[\s,]/g, '');
  if (!/^[0-9*]+$/.test(keys)) return undefined;
  const action = readAction(text.slice(bar + 1).trim(), normalize);
  return action && { keys: [...new Set(keys)], action };
};

const readAction = (text: string, normalize: NormalizePhoneNumber): DtmfKeyAction | undefined => {
  const word = words[text.toLowerCase()];
  if (word) return word;
  const slot = /^(content|text)(\d{1,2})$/i.exec(text);
  if (slot) return readSlot(slot[1]!.toLowerCase(), Number(slot[2]));
  const to = parseLegTarget(text, normalize);
  return to && { do: 'transfer', to };
};

const readSlot = (family: string, slot: number): DtmfKeyAction | undefined =>
  slot >= 1 && slot <= (family === 'content' ? 15 : 11) ? { do: 'play', slot } : undefined;
